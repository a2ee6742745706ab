package dev.towtank.model;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeId;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.resolver.Resolver;
import org.yaml.snakeyaml.scanner.ScannerImpl;

/// YAML text to [Json] and back: with [YamlReader] and [YamlSource] the only class that knows the YAML library.
///
/// The text is read as Kubernetes reads it, which is YAML 1.1: `0644` is 420, `yes` is true, dates stay
/// strings. Every mistake is a [JsonText.Malformed] that names line and column.
public final class YamlText {

    private static final int FOLDED_WIDTH = 80;

    private static final Pattern TAB_AT_END = Pattern.compile("\\S[ ]*\\t[ \\t]*(?:[\\r\\n]|\\z)");
    private static final int MOST_TABS = 100;

    private static final Pattern TAB_BEHIND_KEY = Pattern.compile(":[ ]*\\t");
    private static final Pattern COMMENT_AT_BLOCK = Pattern.compile("[|>][-+0-9]*#");
    private static final String NO_INDICATOR = "expected chomping or indentation indicators";

    private static final int MAX_CODE_POINTS = 16 * 1024 * 1024;

    static {
        // Go's library takes it, and people write it.
        ScannerImpl.ESCAPE_REPLACEMENTS.put('\'', "'");
    }

    private YamlText() {}

    /// Parses one document; an empty text is null, a key that stands twice in a map is refused.
    public static Json parse(String text) {
        return parse(text, YamlText::refuse);
    }

    public static Json parse(byte[] text) {
        return parse(decode(text));
    }

    /// Parses and tells every key that stands twice in a map, such as `line 4: key "c" already set in map`;
    /// the last one counts.
    public static Json parse(byte[] text, Consumer<String> duplicateKey) {
        return parse(decode(text), duplicateKey);
    }

    /// Parses all documents of a stream, leaving out empty ones.
    public static List<Json> parseAll(String text) {
        var json = asJson(text, YamlText::refuse);
        return json == null ? read(text, YamlText::refuse, Integer.MAX_VALUE) : List.of(json);
    }

    /// Parses all documents of a stream as Kustomize does, to which `yes` and `on` are texts: its library knows
    /// YAML 1.2, and what it writes for others it puts into quotes.
    public static List<Json> parseAllForKustomize(String text) {
        var json = asJson(text, YamlText::refuse);
        if (json != null) {
            return List.of(json);
        }
        var documents = new ArrayList<Json>();
        compose(text, () -> false, node -> {
            var document = new YamlReader(YamlText::refuse, true).read(node);
            if (!(document instanceof Json.Null)) {
                documents.add(document);
            }
            return true;
        });
        return documents;
    }

    public static List<Json> parseAll(byte[] text) {
        return parseAll(decode(text));
    }

    /// Reads the documents of a stream, leaving out empty ones, with the place of each value; stops at the
    /// first mistake.
    ///
    /// @param firstLine the number that the first line of the text has
    /// @param document is told each document in turn
    public static void locate(String text, int firstLine, Consumer<Located.Document> document) {
        // In JSON a tab is a space, in YAML it is a mistake.
        var readable = text.stripLeading().startsWith("{") ? text.replace('\t', ' ') : text;
        compose(readable, () -> false, node -> {
            var found = new Locator(firstLine).document(node);
            if (!(found.root().json() instanceof Json.Null)) {
                document.accept(found);
            }
            return true;
        });
    }

    public static String write(Json json) {
        return YamlWriter.write(json);
    }

    /// Writes as [#write] does, but lets long texts go on in the next line, as Go's library does by default.
    public static String writeFolded(Json json) {
        return YamlWriter.write(json, FOLDED_WIDTH);
    }

    /// Parses the first document of a stream, as Kubernetes does with the body of a request.
    ///
    /// @param unwanted asked now and then: a text that nobody waits for is not read to its end
    public static Json first(byte[] text, Consumer<String> duplicateKey, BooleanSupplier unwanted) {
        var json = asJson(decode(text), duplicateKey);
        if (json != null) {
            return json;
        }
        var documents = read(decode(text), duplicateKey, Integer.MAX_VALUE, unwanted);
        return documents.isEmpty() ? Json.Null.NULL : documents.getFirst();
    }

    /// Parses the first document of a stream as Go's library does: what stands behind it is not looked at.
    public static Json first(byte[] text, Consumer<String> duplicateKey) {
        var decoded = decode(text);
        var json = asJson(decoded, duplicateKey);
        if (json != null) {
            return json;
        }
        var found = new ArrayList<Json>();
        compose(decoded, () -> false, node -> {
            found.add(new YamlReader(duplicateKey).read(node));
            return false;
        });
        return found.isEmpty() ? Json.Null.NULL : found.getFirst();
    }

    private static Json parse(String text, Consumer<String> duplicateKey) {
        var json = asJson(text, duplicateKey);
        if (json != null) {
            return json;
        }
        var documents = read(text, duplicateKey, 1);
        return documents.isEmpty() ? Json.Null.NULL : documents.getFirst();
    }

    private static void refuse(String duplicate) {
        throw new JsonText.Malformed("yaml: " + duplicate);
    }

    private static String decode(byte[] text) {
        try {
            var decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
            return decoded.startsWith("\uFEFF") ? decoded.substring(1) : decoded;
        } catch (CharacterCodingException e) {
            throw new JsonText.Malformed("yaml: the text is not UTF-8");
        }
    }

    // JSON is nearly a part of YAML; where it is not (tabs, long keys), people still expect it to be read.
    private static @Nullable Json asJson(String text, Consumer<String> duplicateKey) {
        if (!text.stripLeading().startsWith("{")) {
            return null;
        }
        var duplicates = new ArrayList<String>();
        Json json;
        try {
            json = JsonText.parse(text.getBytes(StandardCharsets.UTF_8), duplicates::add);
        } catch (JsonText.Malformed e) {
            return null;
        }
        if (!duplicates.isEmpty()) {
            twice(text, duplicates).forEach(duplicateKey);
        }
        return json;
    }

    private static List<String> twice(String json, List<String> paths) {
        try {
            var keys = new ArrayList<String>();
            read(json.replace('\t', ' '), keys::add, 1);
            return keys;
        } catch (JsonText.Malformed e) {
            return paths.stream()
                    .map(path -> "key " + Json.of(path) + " already set in map")
                    .toList();
        }
    }

    private static List<Json> read(String text, Consumer<String> duplicateKey, int atMost) {
        return read(text, duplicateKey, atMost, () -> false);
    }

    private static List<Json> read(String text, Consumer<String> duplicateKey, int atMost, BooleanSupplier unwanted) {
        var documents = new ArrayList<Json>();
        compose(text, unwanted, node -> {
            var document = new YamlReader(duplicateKey).read(node);
            if (!(document instanceof Json.Null)) {
                documents.add(document);
            }
            if (documents.size() > atMost) {
                throw new JsonText.Malformed("yaml: expected a single document in the stream but found another");
            }
            return true;
        });
        return documents;
    }

    /// @param document says whether it wants the next one
    private static void compose(String text, BooleanSupplier unwanted, Predicate<Node> document) {
        var options = new LoaderOptions();
        options.setCodePointLimit(MAX_CODE_POINTS);
        options.setNestingDepthLimit(JsonText.MAX_DEPTH);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE);
        // A tag makes nothing here; one that nobody knows says that a scalar is a text, as it does in Go.
        options.setTagInspector(_ -> true);
        boolean needsHelp = TAB_AT_END.matcher(text).find()
                || TAB_BEHIND_KEY.matcher(text).find()
                || COMMENT_AT_BLOCK.matcher(text).find();
        var readable = needsHelp ? asOthersRead(text, options, unwanted) : text;
        try {
            var composer = new Composer(new Stoppable(readable, options, unwanted), new KeepPlain(), options);
            boolean goesOn = true;
            while (goesOn && composer.checkNode()) {
                goesOn = document.test(composer.getNode());
            }
        } catch (MarkedYAMLException e) {
            throw malformed(e);
        } catch (YAMLException e) {
            throw new JsonText.Malformed("yaml: " + e.getMessage());
        } catch (NumberFormatException e) {
            // The library looks for the digits of an escape before it knows whether there are any.
            throw new JsonText.Malformed("yaml: an escape in a text in double quotes has no digits");
        }
    }

    /// Other readers pass over tabs behind a key or a value, and over a comment right behind the sign of a block, as in
    /// `|# why`;
    /// this library does not. Only where it complains: in a block of text they are part of the text.
    private static String asOthersRead(String text, LoaderOptions options, BooleanSupplier unwanted) {
        var readable = new StringBuilder(text);
        for (int i = 0; i < MOST_TABS; i++) {
            try {
                var composer =
                        new Composer(new Stoppable(readable.toString(), options, unwanted), new KeepPlain(), options);
                while (composer.checkNode()) {
                    composer.getNode();
                }
                return readable.toString();
            } catch (MarkedYAMLException e) {
                var mark = e.getProblemMark();
                int start = mark == null ? text.length() : readable.offsetByCodePoints(0, mark.getIndex());
                int end = start;
                boolean isComment = String.valueOf(e.getProblem()).startsWith(NO_INDICATOR);
                while (isComment && end < readable.length() && "\r\n".indexOf(readable.charAt(end)) < 0) {
                    end++;
                }
                while (end < readable.length() && " \t".indexOf(readable.charAt(end)) >= 0) {
                    end++;
                }
                boolean isAtEnd = end == readable.length() || "\r\n".indexOf(readable.charAt(end)) >= 0;
                if (end == start || !(isAtEnd || isBehindAKey(readable, start))) {
                    return readable.toString();
                }
                readable.replace(start, end, " ".repeat(end - start));
            } catch (YAMLException | NumberFormatException e) {
                return readable.toString();
            }
        }
        return readable.toString();
    }

    private static boolean isBehindAKey(CharSequence text, int place) {
        int before = place - 1;
        while (before >= 0 && " \t".indexOf(text.charAt(before)) >= 0) {
            before--;
        }
        return before >= 0 && text.charAt(before) == ':';
    }

    private static JsonText.Malformed malformed(MarkedYAMLException e) {
        var problem = e.getProblem() == null ? "cannot be read" : e.getProblem();
        // What is never closed is to be found where it begins, not at the end of the text.
        boolean isOpen = problem.equals("found unexpected end of stream") && e.getContextMark() != null;
        var mark = e.getProblemMark() == null || isOpen ? e.getContextMark() : e.getProblemMark();
        var context = e.getContext() == null ? "" : " " + e.getContext();
        return new JsonText.Malformed("yaml: " + (mark == null ? "" : where(mark) + ": ") + problem + context, e);
    }

    static String where(@Nullable Mark mark) {
        return mark == null ? "unknown place" : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    }

    /// Looks up from its work now and then, whether it is still wanted.
    private static final class Stoppable extends ParserImpl {
        private static final int BETWEEN_LOOKS = 1024;

        private final BooleanSupplier unwanted;
        private int events;

        Stoppable(String text, LoaderOptions options, BooleanSupplier unwanted) {
            super(new YamlSource(text), options);
            this.unwanted = unwanted;
        }

        @Override
        public Event getEvent() {
            if (++events % BETWEEN_LOOKS == 0 && unwanted.getAsBoolean()) {
                throw new JsonText.Malformed("yaml: nobody waits for this text any more");
            }
            return super.getEvent();
        }
    }

    /// Leaves plain scalars as they are: the library's idea of YAML 1.1 has sexagesimals and dates, Kubernetes'
    /// has not.
    private static final class KeepPlain extends Resolver {
        @Override
        public Tag resolve(NodeId kind, @Nullable String value, boolean implicit) {
            return kind == NodeId.scalar && implicit ? YamlReader.PLAIN : super.resolve(kind, "", false);
        }
    }

    /// Puts the places beside the values. The values come from a [YamlReader], which also bounds what aliases
    /// repeat.
    private static final class Locator {
        private final int firstLine;
        private final YamlReader reader = new YamlReader(_ -> {});
        private final IdentityHashMap<Node, Located> known = new IdentityHashMap<>();
        private final List<Located.Duplicate> duplicates = new ArrayList<>();

        Locator(int firstLine) {
            this.firstLine = firstLine;
        }

        Located.Document document(Node node) {
            reader.read(node);
            return new Located.Document(locate(node), duplicates);
        }

        private Located locate(Node node) {
            var found = known.get(node);
            if (found == null) {
                var fields = new LinkedHashMap<String, Located.Field>();
                if (node instanceof MappingNode mapping) {
                    fields(mapping, fields);
                }
                List<Located> items = node instanceof SequenceNode sequence
                        ? sequence.getValue().stream().map(this::locate).toList()
                        : List.of();
                found = new Located(
                        reader.known(node),
                        mark(node.getStartMark()),
                        mark(node.getEndMark()),
                        style(node),
                        fields,
                        items);
                known.put(node, found);
            }
            return found;
        }

        private void fields(MappingNode node, Map<String, Located.Field> fields) {
            var merged = new LinkedHashMap<String, Located.Field>();
            for (var tuple : node.getValue()) {
                var key = tuple.getKeyNode();
                if (YamlReader.isMergeKey(key)) {
                    var sources = tuple.getValueNode() instanceof SequenceNode several
                            ? several.getValue()
                            : List.of(tuple.getValueNode());
                    sources.forEach(source -> locate(source).fields().forEach(merged::putIfAbsent));
                    continue;
                }
                var name = reader.key(key);
                var value = locate(tuple.getValueNode());
                var field = new Located.Field(mark(key.getStartMark()), mark(key.getEndMark()), value);
                var before = fields.put(name, field);
                if (before != null) {
                    duplicates.add(new Located.Duplicate(name, before.start(), field.start()));
                }
            }
            merged.forEach(fields::putIfAbsent);
        }

        private Located.Mark mark(Mark mark) {
            return new Located.Mark(mark.getLine() + firstLine, mark.getColumn() + 1);
        }

        private static Located.Style style(Node node) {
            if (!(node instanceof ScalarNode scalar)) {
                return Located.Style.COLLECTION;
            }
            return switch (scalar.getScalarStyle()) {
                case PLAIN, JSON_SCALAR_STYLE -> Located.Style.PLAIN;
                case SINGLE_QUOTED -> Located.Style.SINGLE_QUOTED;
                case DOUBLE_QUOTED -> Located.Style.DOUBLE_QUOTED;
                case LITERAL -> Located.Style.LITERAL;
                case FOLDED -> Located.Style.FOLDED;
            };
        }
    }
}
