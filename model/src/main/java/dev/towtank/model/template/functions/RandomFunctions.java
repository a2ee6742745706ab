package dev.towtank.model.template.functions;

import static dev.towtank.model.template.GoType.INT;
import static dev.towtank.model.template.GoType.STRING;

import dev.towtank.model.template.Arguments;
import dev.towtank.model.template.FunctionError;
import dev.towtank.model.template.Functions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Sprig's functions that leave something to chance.
final class RandomFunctions {
    private static final String DIGITS = "0123456789";
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

    private final RandomGenerator random;

    private RandomFunctions(RandomGenerator random) {
        this.random = random;
    }

    static Functions of(RandomGenerator random) {
        var chance = new RandomFunctions(random);
        return Functions.builder()
                .add("randAlphaNum", call -> chance.text(call, LETTERS + DIGITS), INT)
                .add("randAlpha", call -> chance.text(call, LETTERS), INT)
                .add("randNumeric", call -> chance.text(call, DIGITS), INT)
                .add("randAscii", chance::printable, INT)
                .add("randBytes", chance::bytes, INT)
                .add("randInt", chance::number, INT, INT)
                .add("shuffle", chance::shuffle, STRING)
                .add("uuidv4", _ -> chance.identifier())
                .build();
    }

    private String text(Arguments call, String characters) {
        call.render().meter().claim(call.integer(0));
        var out = new StringBuilder();
        for (long i = 0; i < call.integer(0); i++) {
            out.append(characters.charAt(random.nextInt(characters.length())));
        }
        return out.toString();
    }

    private String printable(Arguments call) {
        call.render().meter().claim(call.integer(0));
        var out = new StringBuilder();
        for (long i = 0; i < call.integer(0); i++) {
            out.append((char) random.nextInt(' ', 127));
        }
        return out.toString();
    }

    private String bytes(Arguments call) {
        call.render().meter().claim(call.integer(0));
        var bytes = new byte[(int) call.integer(0)];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private Object number(Arguments call) {
        if (call.integer(1) <= call.integer(0)) {
            throw new FunctionError("invalid argument to Intn");
        }
        return random.nextLong(call.integer(0), call.integer(1));
    }

    private String shuffle(Arguments call) {
        var letters = new ArrayList<Integer>(call.string(0).codePoints().boxed().toList());
        Collections.shuffle(letters, java.util.Random.from(random));
        var out = new StringBuilder();
        letters.forEach(out::appendCodePoint);
        return out.toString();
    }

    private String identifier() {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & ~(3L << 62)) | (1L << 63);
        return new UUID(high, low).toString();
    }
}
