package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.INT;
import static dev.towtank.model.template.GoType.STRING;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.Function;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import dev.towtank.model.template.GoType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Sprig's regular expressions, by a library that knows Go's syntax and takes linear time.
final class RegexFunctions {
    static final Functions ALL = build();

    private RegexFunctions() {}

    private static Functions build() {
        var all = Functions.builder()
                .add("regexMatch", call -> matches(call, false), STRING, STRING)
                .add("mustRegexMatch", call -> matches(call, true), STRING, STRING)
                .add("regexQuoteMeta", call -> quote(call.string(0)), STRING);
        both(all, "regexFind", RegexFunctions::find, STRING, STRING);
        both(all, "regexFindAll", RegexFunctions::findAll, STRING, STRING, INT);
        both(all, "regexReplaceAll", call -> replace(call, false), STRING, STRING, STRING);
        both(all, "regexReplaceAllLiteral", call -> replace(call, true), STRING, STRING, STRING);
        both(all, "regexSplit", RegexFunctions::split, STRING, STRING, INT);
        return all.build();
    }

    private static void both(Functions.Builder all, String name, Function.Body body, GoType... parameters) {
        all.add(name, body, parameters);
        all.add("must" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), body, parameters);
    }

    private static Pattern compile(Arguments call) {
        call.render().meter().step(call.string(0).length() + (call.string(1).length() >> 3));
        return compile(call.string(0));
    }

    private static Pattern compile(String expression) {
        try {
            return Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new FunctionError("error parsing regexp: " + e.getDescription() + ": `" + e.getPattern() + "`");
        }
    }

    private static Object matches(Arguments call, boolean complains) {
        try {
            return compile(call).matcher(call.string(1)).find();
        } catch (FunctionError e) {
            if (complains) {
                throw e;
            }
            return false;
        }
    }

    private static Object find(Arguments call) {
        var matcher = compile(call).matcher(call.string(1));
        return matcher.find() ? matcher.group() : "";
    }

    private static Object findAll(Arguments call) {
        var found = new ArrayList<String>();
        for (var each : spans(compile(call).matcher(call.string(1)), call.integer(2))) {
            found.add(call.string(1).substring(each.start(), each.end()));
        }
        return Conversions.strings(found);
    }

    private record Span(int start, int end) {}

    // An empty match right behind another does not count.
    private static List<Span> spans(Matcher matcher, long atMost) {
        var spans = new ArrayList<Span>();
        int last = -1;
        while ((atMost < 0 || spans.size() < atMost) && matcher.find()) {
            if (matcher.end() > matcher.start() || matcher.start() != last) {
                spans.add(new Span(matcher.start(), matcher.end()));
                last = matcher.end();
            }
        }
        return spans;
    }

    private static Object replace(Arguments call, boolean literally) {
        var pattern = compile(call);
        var text = call.string(1);
        var matcher = pattern.matcher(text);
        var out = new StringBuilder();
        int copied = 0;
        int last = -1;
        while (matcher.find()) {
            if (matcher.end() == matcher.start() && matcher.start() == last) {
                continue;
            }
            out.append(text, copied, matcher.start());
            out.append(literally ? call.string(2) : expand(call.string(2), matcher, pattern));
            copied = matcher.end();
            last = copied;
            call.render().meter().claim(out.length() >> 4);
        }
        call.render().meter().claim(out.length());
        return out.append(text, copied, text.length()).toString();
    }

    // `$1`, `${1}`, `$name` and `${name}` are groups, `$$` is a dollar; what there is not, is empty.
    private static String expand(String template, Matcher matcher, Pattern pattern) {
        var out = new StringBuilder();
        for (int i = 0; i < template.length(); ) {
            char c = template.charAt(i);
            if (c != '$' || i + 1 >= template.length()) {
                out.append(c);
                i++;
                continue;
            }
            if (template.charAt(i + 1) == '$') {
                out.append('$');
                i += 2;
                continue;
            }
            boolean braced = template.charAt(i + 1) == '{';
            int start = i + (braced ? 2 : 1);
            int end = start;
            while (end < template.length()
                    && (Character.isLetterOrDigit(template.charAt(end)) || template.charAt(end) == '_')) {
                end++;
            }
            boolean closed = !braced || (end < template.length() && template.charAt(end) == '}');
            if (end == start || !closed) {
                out.append('$');
                i++;
                continue;
            }
            out.append(group(template.substring(start, end), matcher, pattern));
            i = end + (braced ? 1 : 0);
        }
        return out.toString();
    }

    private static String group(String name, Matcher matcher, Pattern pattern) {
        Integer index = name.matches("[0-9]{1,6}")
                ? Integer.valueOf(name)
                : pattern.namedGroups().get(name);
        var found = index == null || index > matcher.groupCount() ? null : matcher.group(index);
        return found == null ? "" : found;
    }

    private static Object split(Arguments call) {
        var text = call.string(1);
        long atMost = call.integer(2);
        var parts = new ArrayList<String>();
        if (atMost == 0) {
            return Conversions.strings(parts);
        }
        if (!call.string(0).isEmpty() && text.isEmpty()) {
            return Conversions.strings(List.of(""));
        }
        int begin = 0;
        int end = 0;
        for (var each : spans(compile(call).matcher(text), atMost)) {
            if (atMost > 0 && parts.size() == atMost - 1) {
                break;
            }
            end = each.start();
            if (each.end() != 0) {
                parts.add(text.substring(begin, end));
            }
            begin = each.end();
        }
        if (end != text.length()) {
            parts.add(text.substring(begin));
        }
        return Conversions.strings(parts);
    }

    private static String quote(String text) {
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if ("\\.+*?()|[]{}^$".indexOf(text.charAt(i)) >= 0) {
                out.append('\\');
            }
            out.append(text.charAt(i));
        }
        return out.toString();
    }
}
