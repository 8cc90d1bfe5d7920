# What all rules with a script have in common, so that none of them says it. Included last.

for job in workflow.rules:
    if job.script and Path(job.snakefile).parent == ROOT / "workflow" / "rules":
        # Paths are changed (a module's prefix, a storage) as those of the outputs are.
        job.input_modifier = job.log_modifier = job.output_modifier
        job.conda_env = "../../environment.yml"
        # An edit of a module behind the script runs the job again. These are the files of this
        # checkout, even if results go to a storage.
        job.set_input(code=local(imports.modules_used_by(Path(job.script).stem)))
        wildcards = (f"{{{name}}}" for name in sorted(job.wildcard_names))
        job.set_log(f"{Path('results', 'logs', job.name, *wildcards)}.log")
