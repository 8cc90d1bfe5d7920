# in: results/original/scores.csv, results/data/german_credit.csv
# out: results/companions/hand/


rule companion_hand:
    input:
        scores="results/original/scores.csv",
        code=modules_used_by("study_hand"),
    output:
        table1=[
            shown(
                "results/companions/hand/table1.html",
                "hand_table1",
                "Hand 2009",
                "Table 1",
            ),
            *expand(
                "results/companions/hand/table1.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        implied_weights=[
            shown(
                "results/companions/hand/implied_weights.html",
                "hand_implied_weights",
                "Hand 2009",
                "Figure 4 (cost weights)",
            ),
            *expand(
                "results/companions/hand/implied_weights.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        special_costs=[
            shown(
                "results/companions/hand/special_costs.html",
                "hand_special_costs",
                "Hand 2009",
                "Error rate and KS as costs",
            ),
            *expand(
                "results/companions/hand/special_costs.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        figures1_2=[
            shown(
                "results/companions/hand/figures1_2.svg",
                "hand_dent",
                "Hand 2009",
                "Figures 1 and 2",
            ),
            "results/companions/hand/figures1_2.pdf",
            "results/companions/hand/figures1_2.png",
        ],
        figure3=[
            shown(
                "results/companions/hand/figure3.svg",
                "hand_figure3",
                "Hand 2009",
                "Figure 3",
            ),
            "results/companions/hand/figure3.pdf",
            "results/companions/hand/figure3.png",
        ],
        figure4=[
            shown(
                "results/companions/hand/figure4.svg",
                "hand_figure4",
                "Hand 2009",
                "Figure 4",
            ),
            "results/companions/hand/figure4.pdf",
            "results/companions/hand/figure4.png",
        ],
        six_panels=[
            shown(
                f"results/companions/hand/six_panels_{model}.svg",
                "hand_six_panels",
                "Hand 2009",
                f"Six panels ({model})",
            )
            for model in config["figures"]["models"]
        ],
        six_panels_print=expand(
            "results/companions/hand/six_panels_{model}.{format}",
            model=config["figures"]["models"],
            format=["pdf", "png"],
        ),
        checks=expand(
            "results/companions/hand/checks.{format}",
            format=["csv", "md", "tex", "html"],
        ),
    log:
        "results/logs/companion_hand.log",
    benchmark:
        "results/benchmarks/jobs/companion_hand.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        models=config["figures"]["models"],
    script:
        "../../scripts/study_hand.py"


rule companion_hand_example:
    input:
        scores="results/original/scores.csv",
        table="results/data/german_credit.csv",
        code=modules_used_by("search_hand_example"),
    output:
        subsets=[
            shown(
                "results/companions/hand/subsets.html",
                "hand_subsets",
                "Hand 2009",
                "Example 3 (all subsets tried)",
            ),
            "results/companions/hand/subsets.csv",
        ],
        disagreements=[
            shown(
                "results/companions/hand/disagreements.html",
                "hand_disagreements",
                "Hand 2009",
                "How often AUC and H disagree",
            ),
            *expand(
                "results/companions/hand/disagreements.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        example3=[
            shown(
                "results/companions/hand/example3.html",
                "hand_example3",
                "Hand 2009",
                "Example 3",
            ),
            *expand(
                "results/companions/hand/example3.{format}",
                format=["csv", "md", "tex"],
            ),
        ],
        figure5=[
            shown(
                "results/companions/hand/figure5.svg",
                "hand_pair",
                "Hand 2009",
                "Figure 5",
            ),
            "results/companions/hand/figure5.pdf",
            "results/companions/hand/figure5.png",
        ],
        figure6=[
            shown(
                "results/companions/hand/figure6.svg",
                "hand_pair",
                "Hand 2009",
                "Figure 6",
            ),
            "results/companions/hand/figure6.pdf",
            "results/companions/hand/figure6.png",
        ],
        figure7=[
            shown(
                "results/companions/hand/figure7.svg",
                "hand_figure7",
                "Hand 2009",
                "Figure 7",
            ),
            "results/companions/hand/figure7.pdf",
            "results/companions/hand/figure7.png",
        ],
    log:
        "results/logs/companion_hand_example.log",
    benchmark:
        "results/benchmarks/jobs/companion_hand_example.tsv"
    conda:
        "../../../environment.yml"
    threads: 1
    resources:
        **LIGHT,
    params:
        seed=config["seed"],
        subset_sizes=config["companions"]["hand"]["subset_sizes"],
        subsets_per_size=config["companions"]["hand"]["subsets_per_size"],
    script:
        "../../scripts/search_hand_example.py"
