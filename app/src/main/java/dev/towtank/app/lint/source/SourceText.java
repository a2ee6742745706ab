package dev.towtank.app.lint.source;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.finding.SourcePlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// A file's text, by lines.
public final class SourceText {

    // What the YAML library takes for the end of a line.
    private static final Pattern LINE_END = Pattern.compile("\r\n|[\n\r\u0085\u2028\u2029]");
    private static final Pattern DIRECTIVE = Pattern.compile("#\\s*towtank-lint:\\s*ignore=([\\w,-]+)");
    private static final Pattern OF_THE_FILE = Pattern.compile("#\\s*towtank-lint:\\s*ignore-file=([\\w,-]+)");
    private static final Pattern NO_DIRECTIVE = Pattern.compile("#\\s*towtank-lint:");
    private static final Pattern SECRET = Pattern.compile("(?m)^[\\s-]*\"?kind\"?:\\s*[\"']?Secret\\b");
    private static final Pattern PARTS = Pattern.compile(
            "(^|/)(snippets?|partials?|templates?(-[\\w-]+)?|skeletons?|scaffold(ing)?|boilerplates?|blueprints?)/"
                    + "|([/._-]|(?<=[a-z])(?=T))[tT](emplate|mpl|pl)s?(-[\\w-]+)?\\.(ya?ml|json)$");
    private static final int LONGEST_EXCERPT = 400;

    private final String file;
    private final String text;
    private final List<String> lines;
    private final boolean silences;
    private final boolean hasSecrets;
    private final Set<String> everywhere;
    private final Optional<Template> template;

    /// What a text was written by.
    ///
    /// @param values with which it wrote
    /// @param lines for each line of the text, the line there
    /// @param text of the template itself
    record Template(String values, List<Integer> lines, List<String> text) {}

    public SourceText(String file, String text) {
        this(file, text, Optional.empty());
    }

    /// A text that a template wrote; places in it are told as those of the template.
    ///
    /// @param values with which it wrote
    public static SourceText rendered(String file, String text, List<Integer> lines, String template, String values) {
        return new SourceText(file, text, Optional.of(new Template(values, lines, List.of(template.split("\\R", -1)))));
    }

    private SourceText(String file, String text, Optional<Template> template) {
        this.template = template;
        this.file = file;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        this.lines = List.of(isUnix(this.text) ? this.text.split("\n", -1) : LINE_END.split(this.text, -1));
        this.silences = this.text.contains("towtank-lint:");
        this.everywhere = silencedEverywhere();
        this.hasSecrets =
                this.text.contains("Secret") && SECRET.matcher(this.text).find();
    }

    // Nearly every text is, and then it need not be looked at letter by letter.
    private static boolean isUnix(String text) {
        return text.indexOf('\r') < 0
                && text.indexOf('\u0085') < 0
                && text.indexOf('\u2028') < 0
                && text.indexOf('\u2029') < 0;
    }

    public String file() {
        return file;
    }

    /// What all has that a template wrote together with it; nothing where none did.
    public Optional<String> values() {
        return template.map(Template::values);
    }

    public boolean isRendered() {
        return template.isPresent();
    }

    /// Whether it is a part, which a document or a program completes.
    public boolean isPart() {
        return template.isEmpty() && PARTS.matcher(file).find();
    }

    public String text() {
        return text;
    }

    public List<String> lines() {
        return lines;
    }

    /// Empty where there is no such line.
    public String line(int number) {
        return number >= 1 && number <= lines.size() ? lines.get(number - 1) : "";
    }

    /// A place in a document of which it is known which lines are secret.
    public SourcePlace place(int line, int column, int endColumn, boolean isSecret) {
        return template.map(each -> place(each, line, column, endColumn, isSecret))
                .orElseGet(() ->
                        new SourcePlace(file, line, column, endColumn, excerpt(line(line), isSecret), silenced(line)));
    }

    private SourcePlace place(Template writer, int line, int column, int endColumn, boolean isSecret) {
        int there = writer.lines().get(Math.clamp(line, 1, writer.lines().size()) - 1);
        var written = there <= writer.text().size() ? writer.text().get(there - 1) : "";
        boolean isSame = written.equals(line(line));
        return new SourcePlace(
                file,
                there,
                isSame ? column : 1,
                isSame ? endColumn : 1 + written.codePointCount(0, written.length()),
                excerpt(written, isSecret),
                silenced(line));
    }

    /// A place in a text that could not be read, where any line may be secret.
    public SourcePlace place(int line, int column) {
        return place(line, column, column + 1, hasSecrets);
    }

    private static String excerpt(String line, boolean isSecret) {
        if (isSecret) {
            int colon = line.indexOf(':');
            return colon < 0 ? "…" : line.substring(0, colon + 1) + " …";
        }
        return line.length() > LONGEST_EXCERPT ? line.substring(0, LONGEST_EXCERPT) + "…" : line;
    }

    private Set<String> silencedEverywhere() {
        var found = new HashSet<String>();
        if (silences) {
            var matcher = OF_THE_FILE.matcher(text);
            while (matcher.find()) {
                found.addAll(List.of(matcher.group(1).split(",", -1)));
            }
        }
        return found;
    }

    /// The rules that a comment on the line, in the comments right above it, or for the whole file switches off.
    Set<String> silenced(int number) {
        if (!silences) {
            return Set.of();
        }
        var found = new HashSet<>(everywhere);
        addDirectives(line(number), found);
        for (int above = number - 1; above >= 1 && line(above).strip().startsWith("#"); above--) {
            addDirectives(line(above), found);
        }
        return found;
    }

    private static void addDirectives(String line, Set<String> found) {
        var matcher = DIRECTIVE.matcher(line);
        while (matcher.find()) {
            found.addAll(List.of(matcher.group(1).split(",", -1)));
        }
    }

    /// Comments that silence rules which do not exist: a slip there would go unnoticed.
    public List<Finding> unknownSilences() {
        if (!silences) {
            return List.of();
        }
        var found = new ArrayList<Finding>();
        for (int number = 1; number <= lines.size(); number++) {
            var names = new HashSet<String>();
            addDirectives(line(number), names);
            var whole = OF_THE_FILE.matcher(line(number));
            while (whole.find()) {
                names.addAll(List.of(whole.group(1).split(",", -1)));
            }
            if (names.isEmpty() && NO_DIRECTIVE.matcher(line(number)).find()) {
                names.add("");
            }
            for (var name : names) {
                if (Rule.find(name).isEmpty()) {
                    int column = line(number).indexOf("#") + 1;
                    found.add(Finding.of(
                            Rule.UNKNOWN_SILENCE,
                            place(number, column, line(number).length() + 1, hasSecrets),
                            name.isEmpty()
                                    ? "this comment silences nothing"
                                    : "there is no rule \"" + name + "\" to ignore",
                            name.isEmpty()
                                    ? "Write ignore=RULE or ignore-file=RULE; 'towtank lint --rules' lists the rules."
                                    : "'towtank lint --rules' lists them."));
                }
            }
        }
        return found;
    }
}
