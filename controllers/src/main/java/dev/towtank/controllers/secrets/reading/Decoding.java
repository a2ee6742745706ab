package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.NavigableMap;
import java.util.TreeMap;

/// How values are taken out of the form that a provider keeps them in.
///
/// @param strategy `None`, `Base64`, `Base64URL`, `Auto`, or empty for none
/// @param refusesNullBytes for values that are meant to be text
public record Decoding(String strategy, boolean refusesNullBytes) {

    static Decoding of(Json.Obj json) {
        return new Decoding(
                json.string("decodingStrategy"), json.string("nullBytePolicy").equals("Fail"));
    }

    public byte[] decode(byte[] value) {
        return switch (strategy) {
            case "Base64" -> decode(value, Base64.getDecoder());
            case "Base64URL" -> decode(value, Base64.getUrlDecoder());
            case "Auto" -> automatically(value);
            default -> value;
        };
    }

    private static byte[] automatically(byte[] value) {
        for (var decoder : new Base64.Decoder[] {Base64.getDecoder(), Base64.getUrlDecoder()}) {
            try {
                return decode(value, decoder);
            } catch (ReadProblem e) {
                // then it is not of this form
            }
        }
        return value;
    }

    private static byte[] decode(byte[] value, Base64.Decoder decoder) {
        var text =
                new String(value, StandardCharsets.ISO_8859_1).replace("\n", "").replace("\r", "");
        try {
            if (text.length() % 4 == 0) {
                return decoder.decode(text);
            }
        } catch (IllegalArgumentException e) {
            // what the decoder says may tell a part of the value
        }
        throw ReadProblem.of("illegal base64 data");
    }

    byte[] value(String key, byte[] value) {
        try {
            return checked(key, decode(value));
        } catch (ReadProblem e) {
            throw strategy.isEmpty() ? e : e.inside("error applying decoding strategy " + strategy + " to data: ");
        }
    }

    NavigableMap<String, byte[]> values(NavigableMap<String, byte[]> values) {
        var decoded = new TreeMap<String, byte[]>();
        values.forEach((key, value) -> {
            try {
                decoded.put(key, decode(value));
            } catch (ReadProblem e) {
                throw e.inside("error applying decoding strategy %s to data: failure decoding key %s: "
                        .formatted(strategy, key));
            }
        });
        decoded.forEach(this::checked);
        return decoded;
    }

    private byte[] checked(String key, byte[] value) {
        for (int i = 0; refusesNullBytes && i < value.length; i++) {
            if (value[i] == 0) {
                throw ReadProblem.of("fetched secret value for key " + Json.of(key) + " contains null bytes; use a"
                        + " text-safe format such as PEM/base64 or leave nullBytePolicy unset for intentional binary"
                        + " data");
            }
        }
        return value;
    }
}
