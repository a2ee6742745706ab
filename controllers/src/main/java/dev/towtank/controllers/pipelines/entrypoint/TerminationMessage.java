package dev.towtank.controllers.pipelines.entrypoint;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/// What a step leaves in its termination message: results, artifacts, and notes for the controller.
public record TerminationMessage(List<Entry> entries) {

    public static final int TASK_RESULT = 1;
    public static final int INTERNAL = 3;
    public static final int STEP_RESULT = 4;
    public static final int STEP_ARTIFACTS = 5;
    public static final int TASK_ARTIFACTS = 6;

    /// The most that Kubernetes keeps.
    public static final int KUBERNETES_LIMIT = 4096;

    private static final String COMPRESSED = "tknz:";
    private static final int LARGEST_INFLATED = 128 * 1024;

    public TerminationMessage {
        entries = List.copyOf(entries);
    }

    public record Entry(String key, String value, int type) {
        public Json.Obj json() {
            return Json.Obj.builder()
                    .put("key", key)
                    .put("value", value)
                    .put("type", type)
                    .build();
        }

        static Entry read(Json.Obj json) {
            return new Entry(json.string("key"), json.string("value"), (int) json.integer("type"));
        }
    }

    /// Reads a message; of several entries with one key the last counts. Empty when it is none of ours.
    public static Optional<TerminationMessage> parse(String text) {
        try {
            var plain = text.startsWith(COMPRESSED) ? inflate(text.substring(COMPRESSED.length())) : text;
            if (!(JsonText.parse(plain) instanceof Json.Arr list)) {
                return Optional.empty();
            }
            var byKey = new TreeMap<String, Entry>();
            list.objects().stream()
                    .map(Entry::read)
                    .filter(entry -> !entry.equals(new Entry("", "", 0)))
                    .forEach(entry -> byKey.put(entry.key(), entry));
            return Optional.of(new TerminationMessage(List.copyOf(byKey.values())));
        } catch (JsonText.Malformed | DataFormatException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public Optional<String> internal(String key) {
        return entries.stream()
                .filter(entry -> entry.type() == INTERNAL && entry.key().equals(key))
                .map(Entry::value)
                .findFirst();
    }

    public List<Entry> ofType(int type) {
        return entries.stream().filter(entry -> entry.type() == type).toList();
    }

    public TerminationMessage with(Collection<Entry> more) {
        var all = new ArrayList<>(entries);
        all.addAll(more);
        return new TerminationMessage(all);
    }

    public String text() {
        return new Json.Arr(entries.stream().<Json>map(Entry::json).toList()).toString();
    }

    /// @param compress shorter where that makes it shorter
    public String text(boolean compress) {
        var plain = text();
        if (!compress) {
            return plain;
        }
        var small = COMPRESSED + deflate(plain);
        return small.length() < plain.getBytes(StandardCharsets.UTF_8).length ? small : plain;
    }

    private static String deflate(String text) {
        try (var deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
            deflater.setInput(text.getBytes(StandardCharsets.UTF_8));
            deflater.finish();
            var out = new ByteArrayOutputStream();
            var buffer = new byte[8192];
            while (!deflater.finished()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return Base64.getEncoder().withoutPadding().encodeToString(out.toByteArray());
        }
    }

    private static String inflate(String text) throws DataFormatException {
        try (var inflater = new Inflater(true)) {
            inflater.setInput(Base64.getDecoder().decode(text));
            var buffer = new byte[LARGEST_INFLATED + 1];
            int length = 0;
            while (!inflater.finished() && length < buffer.length) {
                int more = inflater.inflate(buffer, length, buffer.length - length);
                if (more == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new DataFormatException("the message is cut off");
                }
                length += more;
            }
            if (length > LARGEST_INFLATED) {
                throw new DataFormatException("the message is larger than " + LARGEST_INFLATED + " bytes");
            }
            return new String(buffer, 0, length, StandardCharsets.UTF_8);
        }
    }
}
