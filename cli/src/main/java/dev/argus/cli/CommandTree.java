package dev.argus.cli;

import dev.argus.server.config.Setting;
import dev.argus.server.config.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The commands and their options, declared without reflection: that is half of the time to the first line of help. */
final class CommandTree {
    static final String VERSION = "0.1.0-SNAPSHOT";

    static final String DIAGNOSE = "diagnose";
    static final String SIMULATE = "simulate";
    static final String EXPORT = "export";
    static final String AGENT = "agent";
    static final String SERVE = "serve";
    static final String QUERY = "query";
    static final String DEMO = "demo";
    static final String FLINK = "flink";
    static final String BENCH = "bench";
    static final String HELP = "--help";
    static final String VERSION_OPTION = "--version";
    static final String FORMAT = "--format";
    static final String OUT = "--out";
    static final String EXPLAIN = "--explain";
    static final String TOPOLOGY = "--topology";
    static final String EXIT_CODE = "--exit-code";
    static final String FLOOR = "--floor";
    static final String THREADS = "--threads";
    static final String NO_COLOR = "--no-color";

    static final String LIST = "--list";
    static final String KIND = "--kind";
    static final String SEVERITY = "--severity";
    static final String FACTOR = "--factor";
    static final String PAUSE = "--pause";
    static final String RANK = "--rank";
    static final String ONSET = "--onset";
    static final String DURATION = "--duration";
    static final String FIRST_STEP = "--first-step";
    static final String STEPS = "--steps";
    static final String SEED = "--seed";
    static final String COUNT = "--count";
    static final String RANKS = "--ranks";
    static final String MAX_RANKS = "--max-ranks";
    static final String GPUS_PER_HOST = "--gpus-per-host";
    static final String NOISE = "--noise";
    static final String DIALECT = "--dialect";
    static final String CLOCK_SKEW = "--clock-skew";
    static final String ATTEMPTS = "--attempts";
    static final String DAMAGE = "--damage";

    static final String ALL = "--all";
    static final String PLAIN = "--plain";

    static final String RINGS = "--rings";
    static final String STACKS = "--stacks";
    static final String FOR = "--for";
    static final String CHECK = "--check";
    static final String TO = "--to";
    static final String TOKEN_FILE = "--token-file";
    static final String CA = "--ca";
    static final String KAFKA_PROPERTIES = "--kafka-properties";
    static final String NAMES_EACH = "--names-each";
    static final String SPOOL = "--spool";
    static final String SPOOL_MIB = "--spool-mib";
    static final String STATE = "--state";
    static final String HISTORY_MIB = "--history-mib";
    static final String EXCERPTS = "--excerpts";

    static final String CONFIG = "--config";
    static final String PRINT_CONFIG = "--print-config";
    static final String PORT = "--port";

    static final String DATA = "--data";
    static final String SERVER = "--server";
    static final String LIMIT = "--limit";

    static final String CTL = "ctl";
    static final String SIGNALS = "--signals";
    static final String SAMPLING = "--sampling";
    static final String TURNS = "--turns";
    static final String SECONDS = "--seconds";

    private CommandTree() {}

    /** The whole tree. */
    static CommandLine build() {
        CommandSpec root = CommandSpec.create()
                .name("argus")
                .addOption(help())
                .addOption(OptionSpec.builder("-V", VERSION_OPTION)
                        .versionHelp(true)
                        .description(HelpTexts.VERSION)
                        .build())
                .addSubcommand(DIAGNOSE, diagnose())
                .addSubcommand(SIMULATE, simulate())
                .addSubcommand(EXPORT, export())
                .addSubcommand(AGENT, agent())
                .addSubcommand(SERVE, serve())
                .addSubcommand(QUERY, query())
                .addSubcommand(DEMO, demo())
                .addSubcommand(FLINK, elsewhere(HelpTexts.FLINK))
                .addSubcommand(BENCH, elsewhere(HelpTexts.BENCH));
        usage(root, HelpTexts.ABOUT).footer(HelpTexts.ROOT_FOOTER);
        return new CommandLine(root)
                .setExpandAtFiles(false)
                .setUsageHelpWidth(100)
                .setUsageHelpLongOptionsMaxWidth(24);
    }

    /** What {@code --version} prints. */
    static String versionText() {
        return "argus " + VERSION + " (verdict format argus.verdict/1, Java " + System.getProperty("java.version")
                + ")";
    }

    private static CommandSpec diagnose() {
        CommandSpec spec = CommandSpec.create()
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("PATH")
                        .arity("0..*")
                        .hideParamSyntax(true)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(HelpTexts.PATHS)
                        .build())
                .addOption(value(FORMAT, "FORMAT", HelpTexts.FORMAT))
                .addOption(value(OUT, "FILE", HelpTexts.OUT))
                .addOption(flag(EXPLAIN, HelpTexts.EXPLAIN))
                .addOption(value(TOPOLOGY, "LAYOUT|FILE", HelpTexts.TOPOLOGY))
                .addOption(flag(EXIT_CODE, HelpTexts.EXIT_CODE))
                .addOption(value(FLOOR, "RATIO", HelpTexts.FLOOR))
                .addOption(value(THREADS, "N", HelpTexts.THREADS))
                .addOption(flag(NO_COLOR, HelpTexts.NO_COLOR))
                .addOption(help());
        usage(spec, HelpTexts.DIAGNOSE)
                .customSynopsis("Usage: argus diagnose PATH... [OPTIONS]")
                .synopsisHeading("")
                .description(join(HelpTexts.DIAGNOSE, HelpTexts.DIAGNOSE_DETAILS))
                .footer(HelpTexts.DIAGNOSE_FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(HelpTexts.EXIT_CODES));
        return spec;
    }

    private static CommandSpec simulate() {
        CommandSpec spec =
                SimulateOptions.spec().addOption(flag(LIST, SimulateTexts.LIST)).addOption(help());
        usage(spec, SimulateTexts.ABOUT)
                .customSynopsis("Usage: argus simulate --out FOLDER [OPTIONS]")
                .synopsisHeading("")
                .description(join(SimulateTexts.ABOUT, SimulateTexts.DETAILS))
                .footer(SimulateTexts.FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(SimulateTexts.EXIT_CODES));
        return spec;
    }

    private static CommandSpec export() {
        CommandSpec spec = CommandSpec.create()
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("FORMAT PATH")
                        .arity("0..*")
                        .hideParamSyntax(true)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(ExportTexts.ARGUMENTS)
                        .build())
                .addOption(value(OUT, "FILE", ExportTexts.OUT))
                .addOption(flag(ALL, ExportTexts.ALL))
                .addOption(value(RANKS, "LIST", ExportTexts.RANKS))
                .addOption(value(STEPS, "A-B", ExportTexts.STEPS))
                .addOption(flag(PLAIN, ExportTexts.PLAIN))
                .addOption(value(THREADS, "N", HelpTexts.THREADS))
                .addOption(help());
        usage(spec, ExportTexts.ABOUT)
                .customSynopsis("Usage: argus export FORMAT PATH... --out FILE [OPTIONS]")
                .synopsisHeading("")
                .description(join(ExportTexts.ABOUT, ExportTexts.DETAILS))
                .footer(ExportTexts.FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(ExportTexts.EXIT_CODES));
        return spec;
    }

    private static CommandSpec agent() {
        CommandSpec spec = CommandSpec.create()
                .addOption(value(RINGS, "FOLDER", AgentTexts.RINGS))
                .addOption(value(STACKS, "RATE", AgentTexts.STACKS))
                .addOption(value(TOPOLOGY, "LAYOUT|FILE", AgentTexts.TOPOLOGY))
                .addOption(value(FORMAT, "FORMAT", AgentTexts.FORMAT))
                .addOption(value(FOR, "SECONDS", AgentTexts.FOR))
                .addOption(flag(CHECK, AgentTexts.CHECK))
                .addOption(value(TO, "URL", AgentTexts.TO))
                .addOption(value(TOKEN_FILE, "FILE", AgentTexts.TOKEN_FILE))
                .addOption(value(CA, "FILE", AgentTexts.CA))
                .addOption(value(KAFKA_PROPERTIES, "FILE", AgentTexts.KAFKA_PROPERTIES))
                .addOption(value(NAMES_EACH, "SECONDS", AgentTexts.NAMES_EACH))
                .addOption(value(SPOOL, "FOLDER", AgentTexts.SPOOL))
                .addOption(value(SPOOL_MIB, "N", AgentTexts.SPOOL_MIB))
                .addOption(value(STATE, "FOLDER", AgentTexts.STATE))
                .addOption(value(HISTORY_MIB, "N", AgentTexts.HISTORY_MIB))
                .addOption(value(EXCERPTS, "FOLDER", AgentTexts.EXCERPTS))
                .addOption(flag(NO_COLOR, HelpTexts.NO_COLOR))
                .addOption(help())
                .addSubcommand(CTL, ctl());
        usage(spec, AgentTexts.ABOUT)
                .customSynopsis("Usage: argus agent [OPTIONS]")
                .synopsisHeading("")
                .description(join(AgentTexts.ABOUT, AgentTexts.DETAILS))
                .footer(AgentTexts.FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(AgentTexts.EXIT_CODES));
        return spec;
    }

    private static CommandSpec serve() {
        CommandSpec spec = CommandSpec.create()
                .addOption(value(CONFIG, "FILE", ServeTexts.CONFIG))
                .addOption(flag(PRINT_CONFIG, ServeTexts.PRINT_CONFIG))
                .addOption(value(FORMAT, "FORMAT", ServeTexts.FORMAT))
                .addOption(value(FOR, "SECONDS", ServeTexts.FOR))
                .addOption(flag(NO_COLOR, HelpTexts.NO_COLOR))
                .addOption(help());
        for (Setting<?> setting : Settings.ALL) {
            String initial = setting.initial().isEmpty() ? "" : " (default: " + setting.initial() + ")";
            spec.addOption(value(setting.flag(), setting.type(), setting.text() + initial));
        }
        usage(spec, ServeTexts.ABOUT)
                .customSynopsis("Usage: argus serve [OPTIONS]")
                .synopsisHeading("")
                .description(join(ServeTexts.ABOUT, ServeTexts.DETAILS))
                .footer(ServeTexts.FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(ServeTexts.EXIT_CODES));
        return spec;
    }

    private static CommandSpec query() {
        CommandSpec spec = CommandSpec.create()
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("SQL")
                        .arity("0..*")
                        .hideParamSyntax(true)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(QueryTexts.SQL)
                        .build())
                .addOption(value(DATA, "FOLDER", QueryTexts.DATA))
                .addOption(value(SERVER, "URL", QueryTexts.SERVER))
                .addOption(value(TOKEN_FILE, "FILE", QueryTexts.TOKEN_FILE))
                .addOption(value(FORMAT, "FORMAT", QueryTexts.FORMAT))
                .addOption(value(LIMIT, "N", QueryTexts.LIMIT))
                .addOption(help());
        usage(spec, QueryTexts.ABOUT)
                .customSynopsis("Usage: argus query SQL [OPTIONS]")
                .synopsisHeading("")
                .description(join(QueryTexts.ABOUT, QueryTexts.DETAILS))
                .footer(QueryTexts.FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(QueryTexts.EXIT_CODES));
        return spec;
    }

    private static CommandSpec ctl() {
        CommandSpec spec = CommandSpec.create()
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("ACTION")
                        .arity("0..*")
                        .hideParamSyntax(true)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .description(AgentTexts.CTL_ACTION)
                        .build())
                .addOption(value(RANK, "LIST", AgentTexts.RANK))
                .addOption(value(SIGNALS, "LIST", AgentTexts.SIGNALS))
                .addOption(value(SAMPLING, "N", AgentTexts.SAMPLING))
                .addOption(value(TURNS, "ON/OFF", AgentTexts.TURNS))
                .addOption(value(STACKS, "RATE", AgentTexts.CTL_STACKS))
                .addOption(value(RANKS, "LIST", AgentTexts.RANKS))
                .addOption(value(SECONDS, "N", AgentTexts.SECONDS))
                .addOption(value(RINGS, "FOLDER", AgentTexts.RINGS))
                .addOption(help());
        usage(spec, AgentTexts.CTL)
                .customSynopsis("Usage: argus agent ctl ACTION [OPTIONS]")
                .synopsisHeading("")
                .description(join(AgentTexts.CTL, AgentTexts.CTL_DETAILS))
                .footer(AgentTexts.CTL_FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(AgentTexts.CTL_EXIT_CODES));
        return spec;
    }

    private static CommandSpec demo() {
        CommandSpec spec = CommandSpec.create()
                .addOption(value(PORT, "PORT", DemoTexts.PORT))
                .addOption(value(RANKS, "N", DemoTexts.RANKS))
                .addOption(value(FOR, "SECONDS", DemoTexts.FOR))
                .addOption(value(SEED, "N", DemoTexts.SEED))
                .addOption(value(FORMAT, "FORMAT", DemoTexts.FORMAT))
                .addOption(flag(NO_COLOR, HelpTexts.NO_COLOR))
                .addOption(help());
        usage(spec, DemoTexts.ABOUT)
                .customSynopsis("Usage: argus demo [OPTIONS]")
                .synopsisHeading("")
                .description(join(DemoTexts.ABOUT, DemoTexts.DETAILS))
                .footer(DemoTexts.FOOTER)
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(exitCodes(DemoTexts.EXIT_CODES));
        return spec;
    }

    /** A command with a class path of its own, which the start script builds: here is only that it exists. */
    private static CommandSpec elsewhere(String about) {
        CommandSpec spec = CommandSpec.create()
                .addPositional(PositionalParamSpec.builder()
                        .paramLabel("NAME")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .build())
                .addOption(help());
        spec.parser().unmatchedArgumentsAllowed(true);
        usage(spec, about);
        return spec;
    }

    private static UsageMessageSpec usage(CommandSpec spec, String description) {
        return spec.usageMessage()
                .description(description)
                .sortOptions(false)
                .commandListHeading("%nCommands:%n")
                .optionListHeading("%nOptions:%n")
                .abbreviateSynopsis(true);
    }

    private static OptionSpec help() {
        return OptionSpec.builder("-h", HELP)
                .usageHelp(true)
                .description(HelpTexts.HELP)
                .build();
    }

    private static OptionSpec value(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .arity("1")
                .type(String.class)
                .description(description)
                .build();
    }

    private static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .arity("0")
                .type(boolean.class)
                .description(description)
                .build();
    }

    private static String[] join(String first, String... rest) {
        String[] all = new String[rest.length + 1];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static Map<String, String> exitCodes(String... lines) {
        Map<String, String> codes = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(':');
            codes.put(line.substring(0, colon), line.substring(colon + 1));
        }
        return codes;
    }
}
