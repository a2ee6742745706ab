package dev.towtank.controllers.buckets.source.tool;

import java.io.PrintStream;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// `aws s3` and `aws s3api`, as far as pipelines use them: the same words, the same texts, the same codes at the end.
public final class AwsTool {

    private final Map<String, String> environment;
    private final InstantSource clock;
    private final PrintStream out;
    private final PrintStream err;

    public AwsTool(Map<String, String> environment, InstantSource clock, PrintStream out, PrintStream err) {
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.out = out;
        this.err = err;
    }

    /// @return the code that the program ends with
    public int run(List<String> arguments) {
        try {
            if (arguments.equals(List.of("--version"))) {
                out.println("aws-cli/2.9.19 Towtank");
                return 0;
            }
            return run(AwsWords.read(arguments));
        } catch (AwsProblem e) {
            err.println();
            err.println(e.text());
            return e.exit();
        }
    }

    private int run(AwsWords words) throws AwsProblem {
        if (words.plain().size() < 2) {
            throw AwsProblem.words("the following arguments are required: command");
        }
        var service = words.plain().getFirst();
        var command = words.plain().get(1);
        var rest = words.plain().subList(2, words.plain().size());
        return switch (service) {
            case "s3" -> new S3Commands(words, new S3Client(session(words)), out, err).run(command, rest);
            case "s3api" -> new S3ApiCommands(words, new S3Client(session(words)), out).run(command, rest);
            default -> throw AwsProblem.words("argument command: Invalid choice: " + service);
        };
    }

    private S3Session session(AwsWords words) throws AwsProblem {
        return new S3Session(words, environment, clock);
    }
}
