package dev.argus.cli;

import dev.argus.cli.demo.DemoServers;
import dev.argus.model.SafeText;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Runs one command: parses, dispatches, and lets no exception through. */
final class Cli {
    private final Surroundings around;
    private final Diagnoser diagnoser;

    Cli(Surroundings around, Diagnoser diagnoser) {
        this.around = around;
        this.diagnoser = diagnoser;
    }

    /** Runs and returns the exit code. */
    int run(String... args) {
        try {
            return guarded(args);
        } catch (IOException e) {
            if (Failures.isBrokenPipe(e)) {
                return ExitCode.DONE;
            }
            around.err().println("argus: cannot write to standard output: " + Failures.reason(e));
        } catch (RuntimeException | Error e) {
            if (around.debug()) {
                e.printStackTrace(around.err());
            }
            around.err().println("argus: " + Failures.unexpected(e));
        }
        return ExitCode.NOTHING_ANALYSED;
    }

    private int guarded(String... args) throws IOException {
        try {
            return dispatch(args);
        } catch (UsageError e) {
            return usage(e.line());
        } catch (ParameterException e) {
            return usage(ParseErrors.line(e));
        }
    }

    private int dispatch(String... args) throws IOException {
        CommandLine root = CommandTree.build();
        if (args.length == 0) {
            around.err().print(root.getUsageMessage(CommandLine.Help.Ansi.OFF));
            return ExitCode.USAGE;
        }
        ParseResult parsed = root.parseArgs(args);
        @Nullable ParseResult command = parsed.subcommand();
        if (help(parsed) || command == null) {
            return ExitCode.DONE;
        }
        if (help(command)) {
            return ExitCode.DONE;
        }
        return switch (command.commandSpec().name()) {
            case CommandTree.DIAGNOSE -> new DiagnoseCommand(around, diagnoser, DiagnoseArguments.from(command)).run();
            case CommandTree.SIMULATE -> simulate(command);
            case CommandTree.EXPORT -> new ExportCommand(around, diagnoser, ExportArguments.from(command)).run();
            case CommandTree.AGENT -> agent(command);
            case CommandTree.SERVE -> new ServeCommand(around).run(command);
            case CommandTree.QUERY -> new QueryCommand(around).run(command);
            case CommandTree.DEMO -> new DemoCommand(around, DemoServers.argus()).run(command);
            case CommandTree.FLINK -> throw new UsageError(HelpTexts.FLINK_BY_SCRIPT);
            default -> throw new UsageError(HelpTexts.BENCH_BY_SCRIPT);
        };
    }

    private int agent(ParseResult command) throws IOException {
        @Nullable ParseResult ctl = command.subcommand();
        if (ctl != null) {
            return help(ctl) ? ExitCode.DONE : new CtlCommand(around).run(ctl);
        }
        AgentCommand agent = new AgentCommand(around, AgentArguments.from(command, around.environment()));
        return command.hasMatchedOption(CommandTree.CHECK) ? agent.check() : agent.run();
    }

    private int simulate(ParseResult command) throws IOException {
        SimulateCommand simulate = new SimulateCommand(around);
        return command.hasMatchedOption(CommandTree.LIST)
                ? simulate.list()
                : simulate.run(SimulateArguments.from(command));
    }

    private boolean help(ParseResult parsed) throws IOException {
        if (parsed.isVersionHelpRequested()) {
            print(CommandTree.versionText() + "\n");
            return true;
        }
        if (parsed.isUsageHelpRequested()) {
            CommandLine.Help.Ansi ansi = around.colour(false) ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF;
            print(parsed.commandSpec().commandLine().getUsageMessage(ansi));
            return true;
        }
        if (parsed.commandSpec().parent() == null && !parsed.hasSubcommand()) {
            throw new UsageError("found no command, expected one; see: ./argus --help");
        }
        return false;
    }

    private void print(String text) throws IOException {
        OutputStream out = around.out();
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private int usage(String line) {
        around.err().println("argus: " + SafeText.sentence(line));
        return ExitCode.USAGE;
    }
}
