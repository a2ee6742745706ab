package dev.towtank.app.completion;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
            subcommands = {Sail.class, Sell.class, Hidden.class})
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

    enum Place {
        HERE,
        THERE
    }

    enum Price {
        GOLD
    }

    @Command(name = "sell")
    static final class Sell {
        @Parameters(index = "0")
        Place place;

        @Parameters(index = "1", paramLabel = "KIND")
        String kind;

        @Option(names = "-f", paramLabel = "COLOUR")
        Price price;

        @Option(names = "--after", paramLabel = "RUN")
        String after;
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
            complete -c ship -n __fish_use_subcommand -a sell
            complete -c ship -n '__fish_seen_subcommand_from sail' -s f -l flag -x -a 'red blue' -d 'The flag [red]'
            complete -c ship -n '__fish_seen_subcommand_from sail' -l chart -r -F -d 'It\\'s a chart'
            complete -c ship -n '__fish_seen_subcommand_from sail' -l mate -x -d 'May be given several times'
            complete -c ship -n '__fish_seen_subcommand_from sail' -l after -x -a '(ship names runs -- (commandline -opc)[2..-1] 2>/dev/null)' -d 'Another run'
            complete -c ship -n '__fish_seen_subcommand_from sell' -a 'here there'
            complete -c ship -n '__fish_seen_subcommand_from sell' -a '(ship names objects -- (commandline -opc)[2..-1] 2>/dev/null)'
            complete -c ship -n '__fish_seen_subcommand_from sell' -s f -x -a 'gold'
            complete -c ship -n '__fish_seen_subcommand_from sell' -l after -x -a '(ship names runs -- (commandline -opc)[2..-1] 2>/dev/null)'
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
                    'sell:'
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
                            '--after[Another run]:RUN:($($program names runs -- $words[1,CURRENT-1] 2>/dev/null))' \\
                            '*:PORT  DOCK:'
                        ;;
                    sell)
                        _arguments -s \\
                            '-f[]:COLOUR:(gold)' \\
                            '--after[]:RUN:($($program names runs -- $words[1,CURRENT-1] 2>/dev/null))' \\
                            '1:place:(here there)' \\
                            '2:KIND:($($program names objects -- $words[1,CURRENT-1] 2>/dev/null))'
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

    /// A line that ends with `_` ends with a space.
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "nothing", textBlock = """
            ship s                              | sail sell
            ship sail --fl                      | --flag
            ship sail --flag _                  | red blue
            ship sail -f r                      | red
            ship sail --flag=b                  | blue
            ship sell -f _                      | gold
            ship sail --after names-runs-t      | names-runs-two
            ship sail --after first --mate _    | nothing
            ship sell _                         | here there
            ship sell here names                | names-objects-one names-objects-two names-objects-one:x:y
            ship sell here x --after words      | words:sell:here:x:--after
            ship sell here a:b                  | nothing
            ship sell here names-objects-one:x: | y
            """)
    void bashCompletesForReal(String typed, String offered) throws Exception {
        var program = Completion.BASH.script(new CommandLine(new Ship())) + """

            ship() {
                echo "$1-$2-one"; echo "$1-$2-two"; echo "$1-$2-one:x:y"
                shift 3; echo "words:$(IFS=:; echo "$*")"
            }
            COMP_LINE=$1; COMP_POINT=${#COMP_LINE}
            _ship
            echo "${COMPREPLY[@]}"
            """;
        var bash = new ProcessBuilder("bash", "--norc", "-c", program, "bash", typed.replaceAll("_$", ""))
                .redirectErrorStream(true)
                .start();

        assertThat(new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                .isEqualTo(offered == null ? "" : offered);
    }
}
