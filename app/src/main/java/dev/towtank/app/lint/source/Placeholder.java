package dev.towtank.app.lint.source;

import java.util.regex.Pattern;

/// Values that somebody fills in before a server sees them: `$(name)` of Kustomize, `${NAME}` of envsubst and Flux,
/// `{{ name }}` of templates, `ENC[…]` of sops, `<your name>`, `YOUR_NAME`, `replace_name`, `...` and `this | that` for
/// people.
public final class Placeholder {

    private static final Pattern FOR_PEOPLE = Pattern.compile(
            "<[A-Za-z*][^<>\n]*>|\\.\\.\\.|\\w ?\\| ?\\w|\\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\\b|-[A-Z]{4,}\\b|\\b(NAMESPACE|NAME|CLUSTER|DOMAIN|ENV|ENVIRONMENT|APP|HOST|PROJECT|REGION|TENANT|USER)-"
                    + "|\\b(replace|your|change|insert)_[a-z_]+\\b");

    private static final Pattern OF_YTT = Pattern.compile("\\s*#@ *(load|def|overlay|data|schema|if|for|end)\\b");

    private static final Pattern OF_A_SHELL = Pattern.compile("\\$[A-Za-z_]");

    /// What hardly means anything else: `<CLUSTER_NAME>`, `__NAME__`, `%%NAME%%`, `@NAME@`, `REPLACE_ME`, and `<your
    /// name>` or `_replaced_` where all of a value is that.
    private static final Pattern FOR_A_TOOL = Pattern.compile(
            "(?<![<\\w])<[A-Z][A-Z0-9_-]{2,}>|\\b__[A-Z][A-Z0-9_]*__\\b|%%[A-Z][A-Z0-9_]*%%|: +[\"']?%[A-Z][A-Z0-9_]+%|@[A-Z][A-Z0-9_]+@|\\[\\[ ?\\.|[:-] +#@ |: +[\"']?_[a-z]+_[\"']?\\s*(#.*)?$"
                    + "|\\b(REPLACE|CHANGE)[_-]?(ME|THIS|WITH)\\b|: +[\"']?<[A-Za-z][\\w ./-]*>[\"']?\\s*(#.*)?$");

    /// A value of one word that may be somebody's to replace: `your-domain`, `changeme`, `xxx`, `app.example.com`,
    /// `overridden`, `<>`, `MY_NAME`. Names of variables and keys are written in capitals as well.
    private static final Pattern STAND_IN = Pattern.compile(
            "(?i::[ ]+[\"']?\\S*(\\byour[-_.]?[a-z]|(change|replace)[-_]?(me|this)"
                    + "|\\boverrid(e|den)\\b|\\btodo\\b|\\bfixme\\b|\\bx{3,}\\b|\\bplaceholder\\b|\\bexample\\.(com|org|net)\\b)\\S*\\s*(#.*)?$)"
                    + "|: +[\"']?<[^<>]*>[\"']?\\s*(#.*)?$"
                    + "|(?<!\\b(name|key|secretKey|property|value|field)): +[\"']?[A-Z][A-Z0-9]+(_[A-Z0-9]+)+[\"']?\\s*(#.*)?$");

    private static final Pattern CAPITALS = Pattern.compile("(?!(TRUE|FALSE|YES|NO|ON|OFF)$)[A-Z][A-Z0-9_-]{2,}|\\W+");

    private Placeholder() {}

    /// Whether a value that does not fit is only there until somebody writes another: `PORT`, `<>`.
    public static boolean standsIn(String value) {
        return CAPITALS.matcher(value.strip()).matches();
    }

    /// Whether a file has values that may be somebody's to replace.
    public static boolean mayBeIn(SourceText text) {
        return text.lines().stream()
                .anyMatch(line ->
                        STAND_IN.matcher(line).find() && !line.stripLeading().startsWith("#"));
    }

    /// Whether there is a word in a line that a tool looks for to put something into its place.
    public static boolean isForATool(String line) {
        return FOR_A_TOOL.matcher(line).find();
    }

    /// Whether somebody fills in a file before it is applied.
    public static boolean isIn(SourceText text) {
        return text.lines().stream()
                .anyMatch(line -> isForATool(line) && !line.stripLeading().startsWith("#"));
    }

    /// Whether a file is a program of ytt, of which YAML is what it works on.
    public static boolean isOfYtt(SourceText text) {
        return text.lines().stream().anyMatch(line -> OF_YTT.matcher(line).lookingAt());
    }

    public static boolean isIn(String text) {
        return text.contains("$(")
                || text.contains("${")
                || text.contains("{{")
                || text.contains("\\\\ .")
                || text.startsWith("ENC[")
                || OF_A_SHELL.matcher(text).lookingAt()
                || FOR_PEOPLE.matcher(text).find();
    }
}
