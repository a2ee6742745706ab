package dev.towtank.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.core.util.Separators;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// JSON text to [Json] and back: the only class that knows the JSON library.
public final class JsonText {

    /// Far deeper than any real object, far shallower than what would exhaust a stack walking the tree.
    public static final int MAX_DEPTH = 500;

    private static final int BUFFERS = 16;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            // By default every thread has buffers of its own, and most of ours live for one task.
            .recyclerPool(JsonRecyclerPools.newBoundedPool(BUFFERS))
            .build();

    private static final DefaultIndenter FOUR_SPACES = new DefaultIndenter("    ", "\n");

    private JsonText() {}

    /// The text is not JSON; the message says what is wrong and where.
    public static final class Malformed extends RuntimeException {
        private static final long serialVersionUID = 1;

        public Malformed(String message) {
            super(message, null, false, false);
        }

        /// @param cause for those who want to tell it in other words
        Malformed(String message, Throwable cause) {
            super(message, cause, false, false);
        }
    }

    public static Json parse(String text) {
        return parse(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Json parse(byte[] text) {
        return parse(text, 0, text.length, null);
    }

    /// Parses an object, which is what every body of the Kubernetes API is.
    public static Json.Obj parseObject(byte[] text) {
        return asObject(parse(text));
    }

    public static Json.Obj parseObject(String text) {
        return asObject(parse(text));
    }

    /// Parses and tells the path of every field that stands twice in one object.
    public static Json parse(byte[] text, Consumer<String> duplicateField) {
        return parse(text, 0, text.length, duplicateField);
    }

    /// One field of an object; the others are passed over.
    ///
    /// @param text of something that was parsed before, so that only what is wanted is checked
    public static Optional<Json> field(byte[] text, String name) {
        int from = JsonGaps.field(text, name);
        return from < 0 ? Optional.empty() : Optional.of(parse(text, from, JsonGaps.end(text, from) - from, null));
    }

    /// An object without the fields of a name, at whatever depth: they are passed over, not read.
    ///
    /// @param text of something that was parsed before
    public static Json.Obj parseWithout(byte[] text, String field) {
        var rest = JsonGaps.shortened(text, field);
        return asObject(read(rest, 0, rest.length, parser -> new Reader(parser, null, field).value()));
    }

    private static Json.Obj asObject(Json json) {
        if (json instanceof Json.Obj object) {
            return object;
        }
        throw new Malformed("expected a JSON object");
    }

    private static Json parse(byte[] text, int offset, int length, @Nullable Consumer<String> duplicateField) {
        var plain = JsonScan.parse(text, offset, length);
        return plain == null ? parseCarefully(text, offset, length, duplicateField) : plain;
    }

    static Json parseCarefully(byte[] text, int offset, int length, @Nullable Consumer<String> duplicateField) {
        return read(text, offset, length, parser -> {
            var value = new Reader(parser, duplicateField, null).value();
            if (parser.nextToken() != null) {
                throw new Malformed("unexpected text after the JSON value" + where(parser));
            }
            return value;
        });
    }

    @FunctionalInterface
    private interface Reading<T> {
        /// @param parser at the first token
        T read(JsonParser parser) throws IOException;
    }

    private static <T> T read(byte[] text, int offset, int length, Reading<T> reading) {
        try (var parser = FACTORY.createParser(text, offset, length)) {
            if (parser.nextToken() == null) {
                throw new Malformed("unexpected end of JSON input");
            }
            return reading.read(parser);
        } catch (StreamConstraintsException e) {
            throw new Malformed("exceeded a limit of the JSON parser: " + e.getOriginalMessage());
        } catch (JsonParseException e) {
            var at = e.getLocation();
            // The parser names a source that it does not know.
            var why = String.valueOf(e.getOriginalMessage()).replaceAll("\\[Source: [^;]*; ", "[");
            throw new Malformed(why + " at line " + at.getLineNr() + ", column " + at.getColumnNr());
        } catch (IOException e) {
            // Reading from memory fails only on bytes that are not text.
            throw new Malformed("invalid text: " + e.getMessage());
        }
    }

    private static String where(JsonParser parser) {
        var at = parser.currentTokenLocation();
        return " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    /// @param skipped a field that is left out, or null
    private record Reader(
            JsonParser parser,
            @Nullable Consumer<String> duplicateField,
            @Nullable String skipped) {

        Json value() throws IOException {
            return value("");
        }

        private Json value(String path) throws IOException {
            var token = parser.currentToken();
            return switch (token) {
                case START_OBJECT -> object(path);
                case START_ARRAY -> array(path);
                case VALUE_STRING -> new Json.Str(parser.getText());
                case VALUE_NUMBER_INT -> integer();
                case VALUE_NUMBER_FLOAT -> real();
                case VALUE_TRUE -> Json.Bool.TRUE;
                case VALUE_FALSE -> Json.Bool.FALSE;
                case VALUE_NULL -> Json.Null.NULL;
                case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                    throw new Malformed("unexpected " + token + where(parser));
            };
        }

        private Json object(String path) throws IOException {
            var builder = Json.Obj.builder();
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                var key = parser.currentName();
                parser.nextToken();
                if (key.equals(skipped)) {
                    parser.skipChildren();
                    continue;
                }
                if (duplicateField == null) {
                    builder.put(key, value(""));
                    continue;
                }
                var fieldPath = path.isEmpty() ? key : path + "." + key;
                if (builder.has(key)) {
                    duplicateField.accept(fieldPath);
                }
                builder.put(key, value(fieldPath));
            }
            return builder.build();
        }

        private Json array(String path) throws IOException {
            List<Json> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(value(duplicateField == null ? "" : path + "[" + items.size() + "]"));
            }
            return items.isEmpty() ? Json.Arr.EMPTY : new Json.Arr(items);
        }

        // Like Kubernetes: what does not fit 64 bits becomes floating point.
        private Json integer() throws IOException {
            return switch (parser.getNumberType()) {
                case INT, LONG -> new Json.Int(parser.getLongValue());
                case BIG_INTEGER, FLOAT, DOUBLE, BIG_DECIMAL -> real();
            };
        }

        private Json real() throws IOException {
            double value = parser.getDoubleValue();
            if (Double.isInfinite(value)) {
                throw new Malformed("number out of range" + where(parser));
            }
            return new Json.Real(value);
        }
    }

    public static String write(Json json) {
        var text = new StringWriter();
        write(json, text, false);
        return text.toString();
    }

    /// Indented by four spaces, as `kubectl -o json` shows it.
    public static String pretty(Json json) {
        var text = new StringWriter();
        write(json, text, true);
        return text.toString();
    }

    private static void write(Json json, Writer out, boolean pretty) {
        try (var generator = FACTORY.createGenerator(out)) {
            if (pretty) {
                generator.setPrettyPrinter(new DefaultPrettyPrinter()
                        .withObjectIndenter(FOUR_SPACES)
                        .withArrayIndenter(FOUR_SPACES)
                        .withSeparators(Separators.createDefaultInstance()
                                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)));
            }
            write(json, generator);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static byte[] bytes(Json json) {
        var out = new JsonBytes();
        out.write(json);
        return out.toByteArray();
    }

    /// The text of an object in two halves, between which `metadata.resourceVersion`'s digits belong.
    ///
    /// The store knows the revision of a write only at the moment of committing it; with the text prepared,
    /// that moment costs two array copies.
    public static final class Halves {
        private final JsonBytes text;
        private final int hole;

        private Halves(JsonBytes text, int hole) {
            this.text = text;
            this.hole = hole;
        }

        /// In bytes, without the digits.
        public int length() {
            return text.length();
        }

        public byte[] join(long revision) {
            var digits = Long.toString(revision).getBytes(StandardCharsets.US_ASCII);
            var whole = new byte[text.length() + digits.length];
            text.copyTo(whole, 0, 0, hole);
            System.arraycopy(digits, 0, whole, hole, digits.length);
            text.copyTo(whole, hole + digits.length, hole, text.length());
            return whole;
        }
    }

    public static Halves halves(Json.Obj object) {
        var out = new JsonBytes();
        int hole = 0;
        out.put('{');
        for (int i = 0; i < object.size(); i++) {
            if (i > 0) {
                out.put(',');
            }
            out.key(object.key(i));
            if (object.key(i).equals("metadata")) {
                writeMetadata(object.object("metadata"), out);
                hole = out.length() - "\"}".length();
            } else {
                out.write(object.value(i));
            }
        }
        out.put('}');
        if (hole == 0) {
            throw new IllegalArgumentException("an object without metadata has no resourceVersion");
        }
        return new Halves(out, hole);
    }

    private static void writeMetadata(Json.Obj metadata, JsonBytes out) {
        out.put('{');
        for (int i = 0; i < metadata.size(); i++) {
            if (!metadata.key(i).equals("resourceVersion")) {
                out.key(metadata.key(i));
                out.write(metadata.value(i));
                out.put(',');
            }
        }
        out.key("resourceVersion");
        out.string("");
        out.put('}');
    }

    private static void write(Json json, JsonGenerator out) throws IOException {
        switch (json) {
            case Json.Null() -> out.writeNull();
            case Json.Bool(var value) -> out.writeBoolean(value);
            case Json.Int(var value) -> out.writeNumber(value);
            case Json.Real(var value) -> writeReal(value, out);
            case Json.Str(var value) -> out.writeString(value);
            case Json.Arr arr -> {
                out.writeStartArray();
                for (var item : arr.items()) {
                    write(item, out);
                }
                out.writeEndArray();
            }
            case Json.Obj obj -> {
                out.writeStartObject();
                for (int i = 0; i < obj.size(); i++) {
                    out.writeFieldName(obj.key(i));
                    write(obj.value(i), out);
                }
                out.writeEndObject();
            }
        }
    }

    // Go writes whole floating point numbers without a fraction, and clients compare texts.
    private static void writeReal(double value, JsonGenerator out) throws IOException {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            out.writeNumber((long) value);
        } else {
            out.writeNumber(value);
        }
    }
}
