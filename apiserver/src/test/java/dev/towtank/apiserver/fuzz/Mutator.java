package dev.towtank.apiserver.fuzz;

import dev.towtank.model.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Makes bad input out of good. The same seed makes the same.
final class Mutator {

    private static final List<String> TOKENS = List.of(
            "{",
            "}",
            "[",
            "]",
            "\"",
            "'",
            ":",
            ",",
            "null",
            "true",
            "NaN",
            "Infinity",
            "-0",
            "1e999",
            "0x1f",
            "\\u0000",
            "\\ud800",
            "\u0000",
            "&a",
            "*a",
            "<<: ",
            "!!",
            "? ",
            "|-\n",
            "- ",
            "\n",
            "\t",
            "%",
            "---\n",
            "...",
            "#",
            "()",
            "in",
            "notin",
            "!",
            "==",
            "self",
            ".",
            "?",
            "||",
            "&&",
            "$patch",
            "~1",
            "/-",
            "9223372036854775808",
            "{{{{{{{{",
            "[[[[[[[[",
            "((((((((",
            "\uFEFF",
            "\u2028",
            "é",
            "🚀");

    final Random random;

    Mutator(long seed) {
        this.random = new Random(seed);
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    String text(List<String> corpus) {
        var bytes = any(corpus).getBytes(StandardCharsets.UTF_8);
        return new String(bytes(bytes, corpus), StandardCharsets.UTF_8);
    }

    /// @param corpus where pieces come from
    byte[] bytes(byte[] seed, List<String> corpus) {
        var bytes = seed;
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            bytes = mutation(bytes, corpus);
        }
        return bytes;
    }

    private byte[] mutation(byte[] bytes, List<String> corpus) {
        int at = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, at + random.nextInt(1, 16));
        return switch (random.nextInt(8)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> replaced(bytes, at, to, new byte[0]);
            case 2 -> replaced(bytes, at, to, new byte[] {(byte) random.nextInt()});
            case 3 -> replaced(bytes, at, at, Arrays.copyOfRange(bytes, at, to));
            case 4 -> replaced(bytes, at, at, piece(any(corpus)));
            case 5 ->
                replaced(
                        bytes, at, at, any(TOKENS).repeat(chance(20) ? 2000 : 1).getBytes(StandardCharsets.UTF_8));
            case 6 -> replaced(bytes, at, to, any(TOKENS).getBytes(StandardCharsets.UTF_8));
            default -> {
                var changed = bytes.clone();
                if (changed.length > 0) {
                    changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                }
                yield changed;
            }
        };
    }

    private byte[] piece(String text) {
        var bytes = text.getBytes(StandardCharsets.UTF_8);
        int from = random.nextInt(bytes.length + 1);
        return Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + random.nextInt(64)));
    }

    private static byte[] replaced(byte[] bytes, int from, int to, byte[] by) {
        var out = new ByteArrayOutputStream();
        out.write(bytes, 0, from);
        out.writeBytes(by);
        out.write(bytes, to, bytes.length - to);
        return out.toByteArray();
    }

    /// Any value, a few levels deep.
    Json value(int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> Json.Null.NULL;
            case 1 -> Json.of(random.nextBoolean());
            case 2 -> Json.of(random.nextInt(-3, 100));
            case 3 -> Json.of(random.nextLong());
            case 4 -> Json.of(any(TOKENS));
            case 5 -> Json.of(chance(10) ? "x".repeat(random.nextInt(5000)) : any(WORDS));
            case 6 -> Json.of(any(WORDS));
            case 7 -> {
                var items = new ArrayList<Json>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(depth - 1));
                }
                yield new Json.Arr(items);
            }
            default -> {
                var object = Json.Obj.EMPTY;
                for (int i = random.nextInt(4); i > 0; i--) {
                    object = object.with(any(WORDS), value(depth - 1));
                }
                yield object;
            }
        };
    }

    static final List<String> WORDS = List.of(
            "",
            "a",
            "b",
            "name",
            "metadata",
            "spec",
            "status",
            "labels",
            "default",
            "web",
            "app",
            "1",
            "0",
            "-1",
            "80",
            "100m",
            "1Gi",
            "1.5",
            "1e3",
            "-5",
            "50%",
            "2026-03-01T10:00:00Z",
            "5m",
            "Always",
            "Never",
            "TCP",
            "nginx:1",
            "example.com",
            "10.0.0.1",
            "::1",
            "10.0.0.0/8",
            "*",
            "a/b",
            "a.b/c",
            "kubernetes.io/x",
            "$patch",
            "replace",
            "delete",
            "type",
            "string",
            "object",
            "integer",
            "properties",
            "items",
            "x-kubernetes-validations",
            "rule",
            "self",
            "(a+)+$",
            "aGk=");

    /// Like the tree, but different in a place or two.
    Json changed(Json tree) {
        return switch (tree) {
            case Json.Obj object when object.size() > 0 -> changedObject(object);
            case Json.Arr array when array.size() > 0 -> changedArray(array);
            default -> value(2);
        };
    }

    private Json changedObject(Json.Obj object) {
        var key = any(List.copyOf(object.keys()));
        var value = object.get(key);
        return switch (random.nextInt(10)) {
            case 0 -> object.without(key);
            case 1 -> object.with(key, value(3));
            case 2 -> object.with(any(WORDS), value);
            case 3 -> object.with(key, Json.Arr.of(value, value));
            case 4 -> chance(4) ? value(2) : object.with(key, changed(value));
            default -> object.with(key, changed(value));
        };
    }

    private Json changedArray(Json.Arr array) {
        var items = new ArrayList<>(array.items());
        int at = random.nextInt(items.size());
        switch (random.nextInt(6)) {
            case 0 -> items.remove(at);
            case 1 -> items.add(at, items.get(at));
            case 2 -> items.set(at, value(3));
            default -> items.set(at, changed(items.get(at)));
        }
        return new Json.Arr(items);
    }
}
