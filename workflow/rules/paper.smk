# in: the experiment's tables and replicates; the results of the study of many data sets
# out: results/tables/{prevalences,explanations,printed,cases,claims}.csv;
# results/figures/{prevalences,reversing_split}
# What Kaymak, Ben-David & Potharst (2010) print, which is in src/study/published.csv: German Credit
# alone has it.

# What the verdict rests on: only at the paper's setting are all claims judged.
KEYS = ("skew", "n_minority", "sampling", "n_train", "prevalence", "cost_ratio")
PAPER_SETTING = {
    **{key: config["experiment"][key] for key in KEYS},
    "hidden_units": config["models"]["neural_net"]["hidden_units"],
}
# What the study of many data sets found.
STUDY = "studies/many-data-sets"


rule printed_numbers:
    input:
        scores=REPLICATE_SCORES,
    output:
        prevalences=table("results/tables/prevalences.csv", "verdict", "Possible prevalences"),
        explanations=table(
            "results/tables/explanations.csv", "verdict", "Explanations of the numbers"
        ),
        printed=table("results/tables/printed.csv", "verdict", "Printed and computed"),
        cases=table("results/tables/cases.csv", "verdict", "Claims tried on cases"),
    log:
        "results/logs/printed_numbers.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        code=code_of("paper"),
    message:
        "What the printed numbers can be"
    script:
        "../scripts/printed_numbers.py"


rule claims:
    input:
        rank_reversal="results/tables/rank_reversal.csv",
        sweep="results/sweep/rank_reversal.csv",
        sample="results/paper/sample.csv",
        prevalences="results/tables/prevalences.csv",
        explanations="results/tables/explanations.csv",
        cases="results/tables/cases.csv",
        results=local(of_clone(f"{STUDY}/results.csv")),
        earlier_rounds=local(of_clone(f"{STUDY}/earlier_rounds.csv")),
    output:
        verdicts=table("results/tables/claims.csv", "verdict", "Sixteen claims"),
    log:
        "results/logs/claims.log",
    conda:
        "../../environment.yml"
    params:
        settings=PAPER_SETTING,
        code=code_of("paper"),
    message:
        "Which of the paper's claims hold"
    script:
        "../scripts/claims.py"


rule plot_paper:
    input:
        prevalences="results/tables/prevalences.csv",
        measures=REPLICATE_MEASURES,
        scores=REPLICATE_SCORES,
    output:
        prevalences_figure=figure(
            "results/figures/prevalences",
            "verdict",
            "Possible prevalences",
            caption="prevalences",
        ),
        reversing_split=figure(
            "results/figures/reversing_split",
            "verdict",
            "A split that reverses",
            caption="reversing_split",
        ),
    log:
        "results/logs/plot_paper.log",
    conda:
        "../../environment.yml"
    resources:
        **summary_job(config["replicates"]["count"]),
    params:
        document={key: config["document"][key] for key in ("width", "font")},
        code=code_of("figures"),
    message:
        "Figures of the verdict"
    script:
        "../scripts/plot_paper.py"


SHOWN_OUTPUTS += [
    *rules.printed_numbers.output,
    *rules.claims.output,
    *rules.plot_paper.output,
]
