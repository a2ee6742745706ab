package dev.towtank.controllers.buckets.source.tool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The arguments of a command: plain words, and options with their values.
record AwsWords(List<String> plain, Map<String, String> options) {

    private static final Set<String> FLAGS = Set.of(
            "--no-verify-ssl",
            "--recursive",
            "--force",
            "--quiet",
            "--only-show-errors",
            "--no-progress",
            "--no-paginate",
            "--no-cli-pager",
            "--generate-cli-skeleton");
    private static final Set<String> WITH_VALUES = Set.of(
            "--endpoint-url",
            "--region",
            "--ca-bundle",
            "--cli-connect-timeout",
            "--cli-read-timeout",
            "--output",
            "--bucket",
            "--key",
            "--body",
            "--prefix",
            "--delimiter",
            "--max-items",
            "--max-keys",
            "--start-after",
            "--metadata",
            "--content-type",
            "--if-none-match",
            "--range",
            "--copy-source");

    AwsWords {
        plain = List.copyOf(plain);
        options = Map.copyOf(options);
    }

    static AwsWords read(List<String> arguments) throws AwsProblem {
        var plain = new ArrayList<String>();
        var options = new HashMap<String, String>();
        for (int i = 0; i < arguments.size(); i++) {
            var word = arguments.get(i);
            int sign = word.indexOf('=');
            var name = sign > 0 && word.startsWith("--") ? word.substring(0, sign) : word;
            if (!word.startsWith("--")) {
                plain.add(word);
            } else if (FLAGS.contains(word)) {
                options.put(word, "true");
            } else if (!WITH_VALUES.contains(name)) {
                throw AwsProblem.words("Unknown options: " + name);
            } else if (sign > 0) {
                options.put(name, word.substring(sign + 1));
            } else if (++i < arguments.size()) {
                options.put(name, arguments.get(i));
            } else {
                throw AwsProblem.words("argument " + word + ": expected one argument");
            }
        }
        if (!options.getOrDefault("--output", "json").equals("json")) {
            throw AwsProblem.words("argument --output: only json");
        }
        return new AwsWords(plain, options);
    }

    boolean has(String flag) {
        return options.containsKey(flag);
    }

    Optional<String> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    String required(String name) throws AwsProblem {
        return option(name).orElseThrow(() -> AwsProblem.words("the following arguments are required: " + name));
    }

    int number(String name, int fallback) throws AwsProblem {
        try {
            return option(name).map(Integer::parseInt).orElse(fallback);
        } catch (NumberFormatException e) {
            throw AwsProblem.words("argument " + name + ": invalid int value");
        }
    }

    /// `a=b,c=d`, as headers.
    Map<String, String> metadata() throws AwsProblem {
        var headers = new HashMap<String, String>();
        for (var pair : option("--metadata").orElse("").split(",", -1)) {
            int sign = pair.indexOf('=');
            if (sign > 0) {
                headers.put("x-amz-meta-" + pair.substring(0, sign), pair.substring(sign + 1));
            } else if (!pair.isEmpty()) {
                throw AwsProblem.words("argument --metadata: expected KEY=VALUE");
            }
        }
        return headers;
    }
}
