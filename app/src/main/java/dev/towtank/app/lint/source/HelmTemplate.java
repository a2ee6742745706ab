package dev.towtank.app.lint.source;

import java.util.regex.Pattern;

/// A template made readable: its actions become words of the same length, or nothing where they stand alone.
///
/// @param text with the same lines and columns
/// @param hasGaps whether parts of it are there only sometimes, or come from elsewhere
public record HelmTemplate(String text, boolean hasGaps) {

    /// Other tools have double braces as well, in texts that are good YAML.
    private static final Pattern OF_HELM = Pattern.compile(
            "\\{\\{-?\\s*(\\(?\\s*\\.(Values|Release|Chart|Capabilities|Files)\\b|include \"|tpl |toYaml |template \")");

    /// What YAML cannot read and others fill in: `\\ .Name //`, `<% name %>`, `[[ .Name ]]`, `@name@`, `%NAME%`,
    /// `{name}/image`, `<name: this or that>`, and `${name}` as a value of JSON or as a line of its own.
    private static final Pattern OF_OTHERS =
            Pattern.compile("\\\\\\\\ \\.\\w|<%|\\[\\[ ?[.-]|(?<=[\\s:\"])@[A-Za-z_.]+@|: +\\{[\\w.-]+\\}[^\\s#,}\\]]"
                    + "|: +%[A-Z_]+%|: +<[A-Za-z][^<>\n]*>|\"\\s*: *\\$\\{\\w+\\}"
                    + "|(?m:^\\s*\\$\\{\\w+\\}\\s*$)");

    private static final Pattern OF_A_LANGUAGE =
            Pattern.compile("\\.(ftl|j2|jinja2?|erb|tmpl|tpl|gotmpl|mustache)\\.(ya?ml|json)$");

    private static final Pattern ACTION = Pattern.compile("\\{\\{.*?\\}\\}|\\{%.*?%\\}", Pattern.DOTALL);
    private static final Pattern HARMLESS = Pattern.compile("\\{\\{-?\\s*(/\\*|\\$\\w+\\s*:?=).*", Pattern.DOTALL);
    private static final Pattern CONTROL =
            Pattern.compile("\\{\\{-?\\s*(if|else|end|range|with|define|block|include|template)\\b.*", Pattern.DOTALL);

    /// @param isBroken whether it is no YAML
    public static boolean isOne(String text, boolean isBroken) {
        return (text.contains("{{") && (isBroken || OF_HELM.matcher(text).find()))
                || (isBroken && (text.contains("{%") || OF_OTHERS.matcher(text).find()));
    }

    /// Whether a file says by its name that a program fills it in: `values.ftl.yaml`.
    public static boolean isNamedSo(String file) {
        return OF_A_LANGUAGE.matcher(file).find();
    }

    /// Where the first of its actions is.
    public static int start(String text) {
        var action = ACTION.matcher(text);
        return action.find() ? action.start() : 0;
    }

    /// What to call it.
    public static String name(String text) {
        return text.contains("{{") && !text.contains("{%") ? "a Helm template" : "a template, of Jinja or the like";
    }

    public static HelmTemplate of(String text) {
        var result = new StringBuilder();
        var gaps = false;
        int last = 0;
        var action = ACTION.matcher(text);
        while (action.find()) {
            boolean alone = isAlone(text, action.start(), action.end());
            gaps |= (alone && !HARMLESS.matcher(action.group()).matches())
                    || CONTROL.matcher(action.group()).matches();
            result.append(text, last, action.start());
            if (alone) {
                // Not even spaces: in front of a block of text they would count as its indentation.
                result.setLength(result.lastIndexOf("\n") + 1);
                action.group().chars().filter(letter -> letter == '\n').forEach(_ -> result.append('\n'));
            } else {
                result.append(action.group().replaceAll("[^\r\n]", "x"));
            }
            last = action.end();
        }
        return new HelmTemplate(result.append(text, last, text.length()).toString(), gaps);
    }

    /// Whether there is nothing else on its lines but other actions.
    private static boolean isAlone(String text, int start, int end) {
        int from = text.lastIndexOf('\n', start) + 1;
        int to = text.indexOf('\n', end);
        var line = text.substring(from, to < 0 ? text.length() : to);
        return ACTION.matcher(line).replaceAll("").isBlank();
    }
}
