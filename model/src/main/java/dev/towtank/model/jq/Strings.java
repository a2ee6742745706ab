package dev.towtank.model.jq;

import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Functions on texts.
final class Strings {

    private static final int FIRST_SURROGATE = 0xD800;
    private static final int LAST_SURROGATE = 0xDFFF;
    private static final int REPLACEMENT = 0xFFFD;

    private Strings() {}

    /// The text, if both are texts.
    static String both(String function, Json json, Json given) {
        if (json instanceof Json.Str(var text) && given instanceof Json.Str) {
            return text;
        }
        throw new JqError(function + "() requires string inputs");
    }

    static Json split(Run run, String text, String separator) {
        run.copy(text.length());
        if (text.isEmpty()) {
            return Json.Arr.EMPTY;
        }
        if (separator.isEmpty()) {
            run.steps(text.length());
            return new Json.Arr(text.codePoints()
                    .mapToObj(point -> Json.of(Character.toString(point)))
                    .toList());
        }
        var parts = List.of(Pattern.compile(separator, Pattern.LITERAL).split(text, -1));
        run.steps(parts.size());
        return Json.Arr.ofStrings(parts);
    }

    static Json join(Run run, Json json, Json separator) {
        var joined = new StringBuilder();
        var between = Texts.text(separator);
        var items = Texts.array(json);
        for (int i = 0; i < items.size(); i++) {
            var item = items.get(i);
            if (item instanceof Json.Arr || item instanceof Json.Obj) {
                throw new JqError("Cannot join with " + Texts.type(item));
            }
            var text = item instanceof Json.Null ? "" : item.display();
            run.copy(text.length() + (long) between.length());
            joined.append(i == 0 ? "" : between).append(text);
        }
        return Json.of(joined.toString());
    }

    static Json trimmed(Json json, Json given, boolean left, boolean right) {
        if (!(json instanceof Json.Str(var text) && given instanceof Json.Str(var edge))) {
            return json;
        }
        var shorter = left && text.startsWith(edge) ? text.substring(edge.length()) : text;
        return Json.of(
                right && shorter.endsWith(edge) ? shorter.substring(0, shorter.length() - edge.length()) : shorter);
    }

    static Json stripped(Run run, Json json, boolean left, boolean right) {
        if (!(json instanceof Json.Str(var text))) {
            throw Texts.wrong(json, "cannot be trimmed");
        }
        run.copy(text.length());
        return Json.of(left && right ? text.strip() : left ? text.stripLeading() : text.stripTrailing());
    }

    static Json mapped(Run run, Json json, char from, char to, int by) {
        if (!(json instanceof Json.Str(var text))) {
            throw new JqError("ascii_downcase and ascii_upcase need a string, not " + Texts.type(json));
        }
        run.copy(text.length());
        var mapped = new StringBuilder(text.length());
        text.chars().forEach(c -> mapped.append((char) (c >= from && c <= to ? c + by : c)));
        return Json.of(mapped.toString());
    }

    static Json bytes(Run run, Json json) {
        if (!(json instanceof Json.Str(var text))) {
            throw Texts.wrong(json, "only strings have UTF-8 byte length");
        }
        run.copy(text.length());
        return Json.of(text.getBytes(StandardCharsets.UTF_8).length);
    }

    static Json explode(Run run, Json json) {
        run.steps(Texts.text(json).length());
        return new Json.Arr(Texts.text(json).codePoints().mapToObj(Json::of).toList());
    }

    static Json implode(Run run, Json json) {
        var points = new ArrayList<Integer>();
        for (var item : Texts.array(json)) {
            run.step();
            int point = (int) ValueOrder.number(item);
            boolean isText = Character.isValidCodePoint(point) && (point < FIRST_SURROGATE || point > LAST_SURROGATE);
            points.add(isText ? point : REPLACEMENT);
        }
        var text = new StringBuilder();
        points.forEach(text::appendCodePoint);
        return Json.of(text.toString());
    }
}
