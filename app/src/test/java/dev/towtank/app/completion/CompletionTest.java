package dev.towtank.app.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

class CompletionTest {
    enum Colour {
        RED,
        BLUE
    }

    @Command(
            name = "ship",
            subcommands = {Sail.class, Hidden.class})
    static final class Ship {
        @Option(
                names = {"-h", "--help"},
                description = "Shows this help.")
        boolean help;
    }

    @Command(name = "sail", description = "Sails the captain's ship: away. And back.")
    static final class Sail {
        @Parameters(arity = "0..*", paramLabel = "PORT[/DOCK]")
        List<String> ports;

        @Option(
                names = {"-f", "--flag"},
                paramLabel = "COLOUR",
                description = "The flag [red] (default: ${DEFAULT-VALUE}).")
        Colour flag;

        @Option(names = "--chart", paramLabel = "FILE", description = "It's a chart.")
        Path chart;

        @Option(names = "--mate", description = "May be given several times.")
        List<String> mates;

        @Option(names = "--after", paramLabel = "RUN", description = "Another run.")
        String after;

        @Option(names = "--secret", hidden = true)
        boolean secret;
    }

    @Command(name = "sink", hidden = true)
    static final class Hidden {}

    @Test
    void fishGetsALineForEverything() {
        assertThat(Completion.FISH.script(new CommandLine(new Ship()))).isEqualTo("""
            # What fish completes after ship.
            complete -c ship -f
            complete -c ship -n __fish_use_subcommand -s h -l help -d 'Shows this help'
            complete -c ship -n __fish_use_subcommand -a sail -d 'Sails the captain\\'s ship: away'
            complete -c ship -n '__fish_seen_subcommand_from sail' -s f -l flag -x -a 'red blue' -d 'The flag [red]'
            complete -c ship -n '__fish_seen_subcommand_from sail' -l chart -r -F -d 'It\\'s a chart'
            complete -c ship -n '__fish_seen_subcommand_from sail' -l mate -x -d 'May be given several times'
            complete -c ship -n '__fish_seen_subcommand_from sail' -l after -x -a '(ship names runs 2>/dev/null)' -d 'Another run'
            """);
    }

    @Test
    void zshGetsAFunction() {
        assertThat(Completion.ZSH.script(new CommandLine(new Ship()))).isEqualTo("""
            #compdef ship

            _ship() {
                local state line program=$words[1]
                local -A opt_args
                local -a commands
                commands=(
                    'sail:Sails the captain'\\''s ship\\: away'
                )
                _arguments -C \\
                    '(-h --help)'{-h,--help}'[Shows this help]' \\
                    '1: :->command' \\
                    '*:: :->rest'
                case $state in
                command)
                    _describe command commands
                    ;;
                rest)
                    case $line[1] in
                    sail)
                        _arguments -s \\
                            '(-f --flag)'{-f,--flag}'[The flag \\[red\\]]:COLOUR:(red blue)' \\
                            '--chart[It'\\''s a chart]:FILE:_files' \\
                            '*--mate[May be given several times]:mates:' \\
                            '--after[Another run]:RUN:($($program names runs 2>/dev/null))' \\
                            '*:PORT  DOCK:'
                        ;;
                    esac
                    ;;
                esac
            }

            if [[ $funcstack[1] == _ship ]]; then
                _ship "$@"
            else
                compdef _ship ship
            fi
            """);
    }

    @Test
    void bashCompletesForReal() throws Exception {
        var script = Completion.BASH.script(new CommandLine(new Ship()));
        var program = script + """

            COMP_WORDS=(ship sail --flag ''); COMP_CWORD=3; _complete_ship
            echo "${COMPREPLY[@]}"
            COMP_WORDS=(ship sa); COMP_CWORD=1; _names_ship
            echo "${COMPREPLY[@]}"
            ship() { echo "$1-$2-one"; echo "$1-$2-two"; }
            COMP_WORDS=(ship sail --after names-runs-t); COMP_CWORD=3; _names_ship
            echo "${COMPREPLY[@]}"
            """;
        var bash = new ProcessBuilder("bash", "--norc")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var in = bash.outputWriter()) {
            in.write(program);
        }

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .containsExactly("red blue", "sail", "names-runs-two");
    }
}
