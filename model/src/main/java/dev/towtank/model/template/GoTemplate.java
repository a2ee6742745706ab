package dev.towtank.model.template;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Templates that know each other by name, parsed and ready to be executed on data.
///
/// ```java
/// GoTemplate.parse("greeting", "Hello, {{ .name | upper }}!", functions)
///         .execute("greeting", Map.of("name", "you"), Settings.of(functions, MissingKey.ERROR));
/// ```
public final class GoTemplate {
    private final Map<String, Tree> trees;
    private final String name;

    private GoTemplate(String name, Map<String, Tree> trees) {
        this.name = name;
        this.trees = trees;
    }

    /// No template yet; one by one is added with [#with].
    public static GoTemplate empty() {
        return named("");
    }

    /// No template yet, but the name that messages have for all of them together.
    public static GoTemplate named(String name) {
        return new GoTemplate(name, Map.of());
    }

    /// @throws TemplateError where the text is no template, or calls a function that there is not
    public static GoTemplate parse(String name, String text, Functions functions) {
        return empty().with(name, text, functions);
    }

    /// These templates and another. Where it defines one that there is already, its own counts.
    public GoTemplate with(String name, String text, Functions functions) {
        var more = new HashMap<>(trees);
        parseInto(more, name, text, functions);
        return new GoTemplate(name, more);
    }

    /// The same, but an empty text counts as well: nothing is left of another template of the name.
    GoTemplate replacing(String name, String text, Functions functions) {
        var more = new HashMap<>(trees);
        more.remove(name);
        parseInto(more, name, text, functions);
        return new GoTemplate(name, more);
    }

    /// Many at once, in their order.
    public GoTemplate with(Map<String, String> texts, Functions functions) {
        var more = new HashMap<>(trees);
        texts.forEach((each, text) -> parseInto(more, each, text, functions));
        return new GoTemplate(name, more);
    }

    private static void parseInto(Map<String, Tree> trees, String name, String text, Functions functions) {
        try {
            TemplateParser.parse(name, text, functions::has, trees);
        } catch (StackOverflowError e) {
            throw new TemplateError("template: " + name + ": max nesting depth exceeded");
        }
    }

    public Set<String> names() {
        return Set.copyOf(trees.keySet());
    }

    /// Executes the template that was parsed last.
    ///
    /// @throws TemplateError with Go's text
    public String execute(@Nullable Object data, TemplateSettings settings) {
        return execute(name, data, settings);
    }

    public String execute(String name, @Nullable Object data, TemplateSettings settings) {
        return execute(name, data, settings, null);
    }

    /// The same, with the lines that wrote it.
    public Written write(String name, @Nullable Object data, TemplateSettings settings) {
        var lines = new WrittenLines();
        var text = execute(name, data, settings, lines);
        return new Written(text, lines.of(text));
    }

    private String execute(
            String name, @Nullable Object data, TemplateSettings settings, @Nullable WrittenLines lines) {
        var tree = trees.get(name);
        if (tree == null) {
            throw new TemplateError("template: no template " + GoText.quote(name) + " associated with template "
                    + GoText.quote(this.name));
        }
        var out = new StringBuilder();
        try {
            new Executor(this, settings, tree, data, out, lines).run(data);
        } catch (StackOverflowError e) {
            throw TemplateError.exhausted("template: " + name + ": exceeded maximum template depth");
        }
        return out.toString();
    }

    @Nullable
    Tree tree(String name) {
        return trees.get(name);
    }
}
