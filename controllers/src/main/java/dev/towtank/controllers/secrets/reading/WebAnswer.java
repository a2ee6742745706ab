package dev.towtank.controllers.secrets.reading;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;

/// What a web server said.
///
/// @param octets the body, a character for each byte
public record WebAnswer(int status, String octets) {

    public static WebAnswer of(int status, byte[] body) {
        return new WebAnswer(status, new String(body, StandardCharsets.ISO_8859_1));
    }

    public boolean isGood() {
        return status / 100 == 2;
    }

    public byte[] bytes() {
        return octets.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// @throws ReadProblem it is none; what it is, is not told
    public Json json() {
        try {
            return JsonText.parse(bytes());
        } catch (JsonText.Malformed e) {
            throw ReadProblem.of("failed to parse response json: the answer is no JSON");
        }
    }

    /// Values are nobody's business.
    @Override
    public String toString() {
        return "answer " + status;
    }
}
