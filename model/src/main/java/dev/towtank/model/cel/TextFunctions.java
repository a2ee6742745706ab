package dev.towtank.model.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayList;
import java.util.List;

/// `find` and `findAll` with regular expressions, and `format`.
final class TextFunctions {

    private static final ListType STRINGS = ListType.create(SimpleType.STRING);

    private TextFunctions() {}

    static void addTo(FunctionLibrary library) {
        library.function("find")
                .member(
                        "string_find_string",
                        SimpleType.STRING,
                        SimpleType.STRING,
                        String.class,
                        SimpleType.STRING,
                        String.class,
                        (text, pattern) ->
                                findAll(text, pattern, 1).stream().findFirst().orElse(""));
        library.function("findAll")
                .member(
                        "string_find_all_string",
                        STRINGS,
                        SimpleType.STRING,
                        String.class,
                        SimpleType.STRING,
                        String.class,
                        (text, pattern) -> findAll(text, pattern, -1))
                .member(
                        "string_find_all_string_int",
                        STRINGS,
                        List.of(SimpleType.STRING, SimpleType.STRING, SimpleType.INT),
                        List.of(String.class, String.class, Long.class),
                        arguments -> findAll((String) arguments[0], (String) arguments[1], (Long) arguments[2]));
        library.function("format")
                .member(
                        "string_format",
                        SimpleType.STRING,
                        SimpleType.STRING,
                        String.class,
                        ListType.create(SimpleType.DYN),
                        List.class,
                        (text, values) -> TextFormat.format(text, values));
    }

    private static List<String> findAll(String text, String pattern, long limit) {
        try {
            var matcher = Pattern.compile(pattern).matcher(text);
            var found = new ArrayList<String>();
            while ((limit < 0 || found.size() < limit) && matcher.find()) {
                found.add(matcher.group());
            }
            return found;
        } catch (PatternSyntaxException e) {
            throw new JsonValues.Missing("Illegal regex: " + e.getMessage());
        }
    }
}
