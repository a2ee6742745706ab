package dev.towtank.model.jq;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.towtank.model.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Regular expressions of RE2's kind, as in the jq of Argo CD: none takes longer than the text is long.
///
/// @param all whether every match counts, or only the first
/// @param filled whether empty matches do not
record Regexes(Pattern pattern, boolean all, boolean filled) {

    private static final int MAX_EXPRESSION = 10_000;

    static Regexes of(Run run, Json regex, Json flags) {
        if (regex instanceof Json.Arr(var both) && !both.isEmpty()) {
            return of(run, both.getFirst(), both.size() > 1 ? both.get(1) : Json.Null.NULL);
        }
        var expression = Texts.text(regex);
        if (expression.length() > MAX_EXPRESSION) {
            throw new JqError("a regular expression may have " + MAX_EXPRESSION + " characters");
        }
        run.copy(expression.length() * 8L);
        int options = 0;
        boolean all = false;
        boolean filled = false;
        var letters = flags instanceof Json.Null ? "" : Texts.text(flags);
        for (int i = 0; i < letters.length(); i++) {
            switch (letters.charAt(i)) {
                case 'g' -> all = true;
                case 'n' -> filled = true;
                case 'i' -> options |= Pattern.CASE_INSENSITIVE;
                case 's', 'p' -> options |= Pattern.DOTALL;
                default -> throw new JqError("unsupported regular expression flag: \"" + letters.charAt(i) + "\"");
            }
        }
        try {
            return new Regexes(
                    Pattern.compile(expression.replaceAll("\\(\\?<([A-Za-z_])", "(?P<$1"), options), all, filled);
        } catch (PatternSyntaxException e) {
            throw new JqError("invalid regular expression " + expression + ": " + e.getMessage());
        }
    }

    private static String text(Run run, Json json) {
        if (!(json instanceof Json.Str(var text))) {
            throw Texts.wrong(json, "cannot be matched, as it is not a string");
        }
        run.steps(text.length());
        return text;
    }

    boolean isIn(Run run, Json json) {
        var found = new boolean[1];
        each(run, text(run, json), _ -> found[0] = true);
        return found[0];
    }

    /// Calls for each match that counts.
    private void each(Run run, String text, Consumer<Matcher> found) {
        var matcher = pattern.matcher(text);
        boolean more = matcher.find();
        while (more) {
            run.steps(1 + pattern.groupCount());
            if (!filled || matcher.end() > matcher.start()) {
                found.accept(matcher);
            }
            more = all && matcher.find();
        }
    }

    static Filter match(Filter regex, Filter flags) {
        return (run, env, input, output) -> flags.apply(
                run,
                env,
                input,
                with -> regex.apply(run, env, input, expression -> {
                    var text = text(run, input.json());
                    var found = new ArrayList<Json>();
                    var regexes = of(run, expression.json(), with.json());
                    regexes.each(run, text, matcher -> found.add(regexes.described(text, matcher)));
                    found.forEach(match -> output.accept(Value.computed(match)));
                }));
    }

    private Json described(String text, Matcher matcher) {
        var captures = new ArrayList<Json>();
        for (int group = 1; group <= matcher.groupCount(); group++) {
            captures.add(part(text, matcher, group).with("name", name(group)));
        }
        return part(text, matcher, 0).with("captures", new Json.Arr(captures));
    }

    private static Json.Obj part(String text, Matcher matcher, int group) {
        int start = matcher.start(group);
        var found = start < 0 ? null : matcher.group(group);
        return Json.Obj.builder()
                .put("offset", Json.of(start < 0 ? -1 : text.codePointCount(0, start)))
                .put("length", Json.of(found == null ? 0 : found.codePointCount(0, found.length())))
                .put("string", Json.of(found))
                .build();
    }

    private Json name(int group) {
        for (var named : pattern.namedGroups().entrySet()) {
            if (named.getValue() == group) {
                return Json.of(named.getKey());
            }
        }
        return Json.Null.NULL;
    }

    Json split(Run run, Json json) {
        var text = text(run, json);
        var parts = new ArrayList<String>();
        int[] from = {0};
        new Regexes(pattern, true, filled).each(run, text, matcher -> {
            parts.add(text.substring(from[0], matcher.start()));
            from[0] = matcher.end();
        });
        parts.add(text.substring(from[0]));
        return Json.Arr.ofStrings(parts);
    }

    /// What stands before a match, and what may stand in its place.
    private record Match(String before, List<Json> choices) {}

    /// Matches replaced by what a filter makes of their named groups: one text of what it gives first for each match,
    /// one of
    /// what it gives second, and so on.
    static Filter substitute(Filter regex, Filter replacement, Filter flags) {
        return (run, env, input, output) -> flags.apply(
                run,
                env,
                input,
                with -> regex.apply(run, env, input, expression -> {
                    var text = text(run, input.json());
                    var matches = new ArrayList<Match>();
                    int[] from = {0};
                    var regexes = of(run, expression.json(), with.json());
                    regexes.each(run, text, matcher -> {
                        var choices = replacement.all(run, env, regexes.named(matcher));
                        matches.add(new Match(text.substring(from[0], matcher.start()), choices));
                        from[0] = matcher.end();
                    });
                    int choices = matches.stream()
                            .mapToInt(match -> match.choices().size())
                            .min()
                            .orElse(1);
                    for (int i = 0; i < choices; i++) {
                        output.accept(Value.computed(replaced(run, matches, i, text.substring(from[0]))));
                    }
                }));
    }

    private static Json replaced(Run run, List<Match> matches, int choice, String rest) {
        var text = new StringBuilder();
        for (var match : matches) {
            if (!(match.choices().get(choice) instanceof Json.Str(var chosen))) {
                throw Texts.wrong(match.choices().get(choice), "cannot be added to a string");
            }
            run.copy(match.before().length() + (long) chosen.length());
            text.append(match.before()).append(chosen);
        }
        run.copy(rest.length());
        return Json.of(text.append(rest).toString());
    }

    private Json named(Matcher matcher) {
        var fields = Json.Obj.builder();
        pattern.namedGroups().forEach((name, group) -> fields.put(name, Json.of(matcher.group(group))));
        return fields.build();
    }
}
