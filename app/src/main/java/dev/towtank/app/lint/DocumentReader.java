package dev.towtank.app.lint;

import dev.towtank.app.lint.finding.Finding;
import dev.towtank.app.lint.finding.Level;
import dev.towtank.app.lint.finding.Rule;
import dev.towtank.app.lint.source.Document;
import dev.towtank.app.lint.source.Document.Origin;
import dev.towtank.app.lint.source.HelmTemplate;
import dev.towtank.app.lint.source.SourceText;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import dev.towtank.model.Located;
import dev.towtank.model.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Makes objects of a text: of all its documents, of the items of lists, of the fenced blocks of a Markdown
/// file.
final class DocumentReader {

    private static final Pattern NO_SPACE = Pattern.compile("[ \\t]*\\u00A0");
    private static final Pattern MERGE_BEGINS = Pattern.compile("(?m)^<{7} ");
    private static final Pattern MERGE_ENDS = Pattern.compile("(?m)^>{7} ");
    private static final Pattern WHERE = Pattern.compile("^line (\\d+), column (\\d+): ");
    private static final Pattern FENCE = Pattern.compile("^(\\s*(?:[-*>] )?\\s*)(`{3,}|~{3,})\\s*([A-Za-z]*).*$");

    private static final Pattern EXPECTATION =
            Pattern.compile("(?:^|[/_-])(?:assert|errors?)(?:[_-][^/]*)?\\.ya?ml$|[-_]assert\\.ya?ml$");
    /// What no file goes without that is meant for a server; others have dialects of their own, such as JSON with
    /// comments.
    private static final Pattern KIND = Pattern.compile("(?m)^[\\s{,-]*\"?kind\"?\\s*:");

    /// Several objects without anything between them: `kubectl` takes them from a file that begins with a brace.
    private static final Pattern JSON_AFTER_JSON = Pattern.compile("\\A\\s*\\{[\\s\\S]*^}\\s*^\\{", Pattern.MULTILINE);

    /// A script that somebody keeps under the name of what it writes.
    private static final Pattern SCRIPT = Pattern.compile("\\A\\s*(#!|[^\\n]*<<-?\\s*['\"]?[A-Z]+)");

    private static final Pattern VERSION = Pattern.compile("(?m)^[\\s{,-]*\"?apiVersion\"?\\s*:");

    private static final Pattern PATCH = Pattern.compile("(?:^|[/_.-])patch(?:es)?(?=[/_.-])");

    private final SourceText source;
    private final Observations seen;
    private final List<Document> found = new ArrayList<>();

    private DocumentReader(SourceText source, Observations seen) {
        this.source = source;
        this.seen = seen;
    }

    /// @param isMarkdown whether only fenced blocks of YAML are meant
    static List<Document> read(SourceText source, boolean isMarkdown, Observations seen) {
        var reader = new DocumentReader(source, seen);
        if (isMarkdown) {
            reader.markdown();
        } else {
            reader.yaml();
        }
        return reader.found;
    }

    private void yaml() {
        if (source.lines().stream().map(String::strip).allMatch(DocumentReader::saysNothing)) {
            if (source.isRendered()) {
                return;
            }
            seen.add(Rule.EMPTY_FILE, source.place(1, 1), "there is nothing in this file", "");
            return;
        }
        block(source.text(), 1, Level.ERROR);
    }

    private static boolean saysNothing(String line) {
        return line.isEmpty() || line.startsWith("#") || line.equals("---") || line.equals("...");
    }

    private void markdown() {
        var lines = source.lines();
        for (int i = 0; i < lines.size(); i++) {
            var fence = FENCE.matcher(lines.get(i));
            if (!fence.matches()) {
                continue;
            }
            int first = i + 1;
            do {
                i++;
            } while (i < lines.size() && !lines.get(i).strip().startsWith(fence.group(2)));
            var language = fence.group(3);
            if (language.equalsIgnoreCase("yaml") || language.equalsIgnoreCase("yml")) {
                var text = String.join("\n", lines.subList(first, Math.min(i, lines.size())));
                block(text, first + 1, Level.WARNING);
            }
        }
    }

    /// @param level of a mistake in the syntax; prose may show a part of a file that is none by itself
    private void block(String text, int firstLine, Level level) {
        int control = firstControl(text);
        if (control >= 0) {
            syntax(
                    firstLine + lineEnds(text, control),
                    1,
                    "there is a control character in this line, which YAML forbids",
                    level);
            return;
        }
        var documents = new ArrayList<Located.Document>();
        var problem = parse(text, firstLine, documents);
        boolean isHelm = !source.isRendered()
                && (HelmTemplate.isOne(text, !problem.isEmpty())
                        || (!problem.isEmpty() && HelmTemplate.isNamedSo(source.file())));
        if (isHelm) {
            helm(text, firstLine);
            return;
        }
        documents.forEach(document -> take(document, isPatch(document.root()) ? Origin.WITH_GAPS : Origin.PLAIN));
        if (!problem.isEmpty() && isHalfMerged(text)) {
            merge(text, firstLine, isForServers(text) ? level : Level.WARNING);
        } else if (!problem.isEmpty()) {
            // JSON that begins with a comment is for programs that take some.
            boolean isSnippet = source.isPart()
                    || (source.file().endsWith(".json") && text.strip().startsWith("/"));
            // What is not meant for a server is for another reader, who knows.
            explain(problem, firstLine, isForServers(text) && !isSnippet ? level : Level.INFO);
        }
    }

    private static boolean isHalfMerged(String text) {
        return MERGE_BEGINS.matcher(text).find() && MERGE_ENDS.matcher(text).find();
    }

    private void merge(String text, int firstLine, Level level) {
        var mark = MERGE_BEGINS.matcher(text);
        int line = mark.find() ? lineEnds(text, mark.start()) : 0;
        seen.add(Finding.of(
                        Rule.YAML_SYNTAX,
                        source.place(firstLine + line, 1),
                        "marks of a merge that was never finished",
                        "Choose what is to stay, and take the marks away.")
                .at(level));
    }

    private static boolean isForServers(String text) {
        return !JSON_AFTER_JSON.matcher(text).find()
                && !SCRIPT.matcher(text).find()
                && KIND.matcher(text).find()
                && VERSION.matcher(text).find();
    }

    /// Whether an object is to be merged into another one, by what Kustomize users call such files, or compared with
    /// one, by what Chainsaw and kuttl call theirs.
    private boolean isPatch(Located root) {
        return PATCH.matcher(source.file()).find()
                || EXPECTATION.matcher(source.file()).find()
                || root.all().stream().anyMatch(part -> part.field("$patch") != null);
    }

    private static String parse(String text, int firstLine, List<Located.Document> documents) {
        try {
            YamlText.locate(text, firstLine, documents::add);
            return "";
        } catch (JsonText.Malformed e) {
            return String.valueOf(e.getMessage()).replaceFirst("^yaml: ", "");
        }
    }

    private void helm(String text, int firstLine) {
        var template = HelmTemplate.of(text);
        var documents = new ArrayList<Located.Document>();
        var problem = parse(template.text(), firstLine, documents);
        int line = firstLine + lineEnds(text, HelmTemplate.start(text));
        seen.add(
                Rule.HELM_TEMPLATE,
                source.place(line, 1, 1, false),
                problem.isEmpty()
                        ? "this is " + HelmTemplate.name(text) + ": checked as far as it can be without its values"
                        : "this is " + HelmTemplate.name(text)
                                + ", which is no YAML before its values are filled in: not checked",
                HelmTemplate.name(text).contains("Jinja")
                        ? ""
                        : "To check all of it: helm template CHART | towtank lint -");
        if (problem.isEmpty()) {
            var origin = template.hasGaps() ? Origin.WITH_GAPS : Origin.WITH_PLACEHOLDERS;
            documents.forEach(document -> take(document, origin));
        }
    }

    private static int firstControl(String text) {
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if ((letter < ' ' && letter != '\t' && letter != '\n' && letter != '\r')
                    || letter == '\u007f'
                    || letter >= '\ufffe') {
                return i;
            }
        }
        return -1;
    }

    private static int lineEnds(String text, int until) {
        return (int) text.chars().limit(until).filter(letter -> letter == '\n').count();
    }

    // The parser of a block counts lines from the block's own beginning.
    private void explain(String problem, int firstLine, Level level) {
        var where = WHERE.matcher(problem);
        if (!where.find()) {
            syntax(firstLine, 1, problem, level);
            return;
        }
        int line = Integer.parseInt(where.group(1)) + firstLine - 1;
        int column = Integer.parseInt(where.group(2));
        syntax(line, column, problem.substring(where.end()), level);
    }

    private void syntax(int line, int column, String problem, Level level) {
        int number = Math.min(line, source.lines().size());
        for (int each = number - 1; each <= number; each++) {
            if (NO_SPACE.matcher(source.line(each)).lookingAt()) {
                seen.add(Finding.of(
                                Rule.YAML_SYNTAX,
                                source.place(each, 1),
                                "this line is indented with spaces that do not break, which YAML takes for letters",
                                "Write ordinary spaces; pages and chats put in the others (U+00A0).")
                        .at(level));
                return;
            }
        }
        var shown = source.line(number);
        boolean isTab = shown.strip().isEmpty()
                ? shown.contains("\t")
                : shown.substring(0, shown.indexOf(shown.strip())).contains("\t") || problem.contains("\\t");
        var words = problem.contains("TAB") ? "found a tab where YAML wants spaces" : problem;
        var advice = isTab ? "Indent with spaces: YAML takes no tabs." : adviceFor(problem);
        seen.add(Finding.of(Rule.YAML_SYNTAX, source.place(number, column), words, advice)
                .at(level));
    }

    private static String adviceFor(String problem) {
        if (problem.contains("mapping values are not allowed")) {
            return "Put a text with \": \" in it into quotes, and check the indentation.";
        }
        if (problem.contains("could not find expected ':'")) {
            return "A key needs a colon and a space behind it.";
        }
        if (problem.contains("end of stream") || problem.contains("<stream end>")) {
            return "Something was opened and is not closed: a quote, a bracket or a brace.";
        }
        if (problem.startsWith("expected <block end>")) {
            return "Indent it as the lines before it that it belongs with.";
        }
        return problem.contains("cannot start any token") ? "Put the text into quotes." : "";
    }

    private void take(Located.Document document, Origin origin) {
        var whole = new Document(source, document.root(), origin);
        if (origin != Origin.WITH_GAPS) {
            for (var duplicate : document.duplicates()) {
                var finding = Finding.of(
                        Rule.DUPLICATE_KEY,
                        whole.place(
                                duplicate.second().line(),
                                duplicate.second().column(),
                                duplicate.second().column() + duplicate.key().length()),
                        "the key \"" + duplicate.key() + "\" stands here a second time",
                        already(whole, duplicate));
                boolean isForServers =
                        !whole.kind().isEmpty() || !whole.apiVersion().isEmpty();
                seen.add(isForServers ? finding : finding.at(Level.INFO));
            }
        }
        spread(whole);
    }

    /// Of a template, by the lines that write it.
    private static String already(Document whole, Located.Duplicate duplicate) {
        int first = lineOf(whole, duplicate.first());
        return first == lineOf(whole, duplicate.second())
                ? "What this line puts in has it twice; keep one of the two."
                : "It is already in line " + first + "; keep one of the two.";
    }

    private static int lineOf(Document whole, Located.Mark mark) {
        return whole.place(mark.line(), mark.column(), mark.column()).line();
    }

    /// Lists are their items; templates of triggers have objects in them.
    private void spread(Document document) {
        if (!(document.root().json() instanceof Json.Obj)) {
            return;
        }
        if (document.kind().endsWith("List") && document.root().at("items") != null) {
            document.root().list("items").forEach(item -> spread(document.inner(item, Origin.PLAIN)));
            return;
        }
        found.add(document);
        if (document.kind().equals("TriggerTemplate")) {
            document.root()
                    .list("spec", "resourcetemplates")
                    .forEach(item -> spread(document.inner(item, Origin.WITH_GAPS)));
        }
    }
}
