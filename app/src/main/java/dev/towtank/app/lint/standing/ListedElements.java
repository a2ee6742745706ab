package dev.towtank.app.lint.standing;

import dev.towtank.model.Located;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What the lists of an ApplicationSet make of a path with `{{ .name }}` in it. What others know stays open.
public final class ListedElements {

    private static final Pattern PARAMETER = Pattern.compile("\\{\\{-?\\s*\\.?([\\w-]+)\\s*-?}}");

    /// More are as good as unknown.
    private static final int MOST = 500;

    private ListedElements() {}

    /// @param within whose generators are alternatives
    public static Stream<String> inOneOf(String path, Located within) {
        var generators = within.list("generators");
        return generators.isEmpty() || !path.contains("{{")
                ? Stream.of(path)
                : generators.stream().flatMap(generator -> in(path, generator)).distinct();
    }

    /// @param within whose generators are multiplied with each other
    public static Stream<String> inAll(String path, Located within) {
        var paths = List.of(path);
        for (var generator : within.list("generators")) {
            paths = paths.stream()
                    .flatMap(each -> in(each, generator))
                    .distinct()
                    .limit(MOST)
                    .toList();
        }
        return paths.stream();
    }

    private static Stream<String> in(String path, Located generator) {
        var matrix = generator.at("matrix");
        if (matrix != null) {
            return inAll(path, matrix);
        }
        var elements = generator.list("list", "elements");
        return elements.isEmpty() || elements.size() > MOST
                ? Stream.of(path)
                : elements.stream().map(element -> filled(path, values(element)));
    }

    private static Map<String, String> values(Located element) {
        var values = new HashMap<String, String>();
        element.fields().keySet().forEach(name -> values.put(name, element.text(name)));
        return values;
    }

    private static String filled(String path, Map<String, String> values) {
        return PARAMETER.matcher(path).replaceAll(found -> {
            var value = values.getOrDefault(found.group(1), "");
            return Matcher.quoteReplacement(value.isEmpty() ? found.group() : value);
        });
    }
}
