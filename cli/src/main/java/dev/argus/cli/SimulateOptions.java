package dev.argus.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The options of {@code simulate}. */
final class SimulateOptions {
    private SimulateOptions() {}

    static CommandSpec spec() {
        CommandSpec spec = CommandSpec.create();
        for (String[] option : new String[][] {
            {CommandTree.OUT, "FOLDER", SimulateTexts.OUT},
            {CommandTree.KIND, "KIND,...", SimulateTexts.KIND},
            {CommandTree.SEVERITY, "WORD", SimulateTexts.SEVERITY},
            {CommandTree.FACTOR, "X", SimulateTexts.FACTOR},
            {CommandTree.PAUSE, "MS", SimulateTexts.PAUSE},
            {CommandTree.RANK, "N", SimulateTexts.RANK},
            {CommandTree.ONSET, "STEP", SimulateTexts.ONSET},
            {CommandTree.DURATION, "N", SimulateTexts.DURATION},
            {CommandTree.FIRST_STEP, "STEP", SimulateTexts.FIRST_STEP},
            {CommandTree.STEPS, "N", SimulateTexts.STEPS},
            {CommandTree.SEED, "N", SimulateTexts.SEED},
            {CommandTree.COUNT, "N", SimulateTexts.COUNT},
            {CommandTree.TOPOLOGY, "LAYOUT|FILE", SimulateTexts.TOPOLOGY},
            {CommandTree.RANKS, "N", SimulateTexts.RANKS},
            {CommandTree.MAX_RANKS, "N", SimulateTexts.MAX_RANKS},
            {CommandTree.GPUS_PER_HOST, "N", SimulateTexts.GPUS},
            {CommandTree.NOISE, "WORD", SimulateTexts.NOISE},
            {CommandTree.DIALECT, "WORD,...", SimulateTexts.DIALECT},
            {CommandTree.CLOCK_SKEW, "MS", SimulateTexts.CLOCK_SKEW},
            {CommandTree.ATTEMPTS, "N", SimulateTexts.ATTEMPTS},
            {CommandTree.DAMAGE, "WORD,...", SimulateTexts.DAMAGE},
        }) {
            spec.addOption(value(option[0], option[1], option[2]));
        }
        return spec;
    }

    private static OptionSpec value(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .arity("1")
                .type(String.class)
                .description(description)
                .build();
    }
}
