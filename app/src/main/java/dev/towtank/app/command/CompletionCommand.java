package dev.towtank.app.command;

import dev.towtank.app.completion.Completion;
import dev.towtank.app.shell.Surroundings;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Parameters;

/// Prints the script by which a shell completes our commands.
@Command(
        name = "completion",
        description = "Prints what makes a shell complete commands and options.",
        footer = {
            "",
            "bash:  source <(towtank completion bash)",
            "zsh:   source <(towtank completion zsh)",
            "fish:  towtank completion fish | source",
            "",
            "Put the line into the start file of the shell to have it always."
        })
final class CompletionCommand implements Callable<Integer> {
    private final Surroundings surroundings;
    private final Supplier<CommandLine> program;

    @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
    private Completion shell = Completion.BASH;

    /// @param program with all its commands
    CompletionCommand(Surroundings surroundings, Supplier<CommandLine> program) {
        this.surroundings = surroundings;
        this.program = program;
    }

    @Override
    public Integer call() {
        surroundings.text().print(shell.script(program.get()));
        surroundings.text().flush();
        return ExitCode.OK;
    }
}
