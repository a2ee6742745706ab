package dev.towtank.controllers.pipelinesascode.matching;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// Values of annotations: one word, or several as `[a, b]`.
final class Annotations {

    private static final Pattern FORM = Pattern.compile("^\\[(.*)]$|^[^\\[\\]\\s]*$", Pattern.DOTALL);

    private Annotations() {}

    /// @throws IllegalArgumentException it has another form
    static List<String> values(String annotation) {
        var text = annotation.strip();
        var form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("annotations in pipeline are in wrong format: " + text);
        }
        if (!text.startsWith("[")) {
            return List.of(text.replace("&#44;", ","));
        }
        var values = Arrays.stream(form.group(1).split(",", -1))
                .map(value -> value.replace("&#44;", ",").strip())
                .toList();
        if (values.getFirst().isEmpty()) {
            throw new IllegalArgumentException("annotation \"" + text + "\" has empty values");
        }
        return values;
    }
}
