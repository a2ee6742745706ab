package dev.towtank.archive.api;

import dev.towtank.archive.ArchiveRefusal;
import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Where a list goes on, for the caller to hand back. Signed, so that nobody makes up one that names other rows.
final class PageTokens {

    private static final String MAC = "HmacSHA256";
    private static final int SIGNATURE = 32;
    private static final int MAX_LENGTH = 64 * 1024;

    private final SecretKeySpec key;

    /// @param key secret, and the same as long as tokens are to be understood
    PageTokens(byte[] key) {
        this.key = new SecretKeySpec(key, MAC);
    }

    /// @param uid of the last row that was shown
    /// @param value of the field that the list is ordered by, in that row; absent where it has none
    record Token(String parent, String filter, String field, String direction, String uid, Optional<Long> value) {}

    String write(Token token) {
        var json = Json.Obj.builder()
                .put("p", token.parent())
                .put("f", token.filter())
                .put("o", token.field())
                .put("d", token.direction())
                .put("u", token.uid());
        token.value().ifPresent(value -> json.put("v", value));
        var text = JsonText.bytes(json.build());
        var signed = Arrays.copyOf(signature(text), SIGNATURE + text.length);
        System.arraycopy(text, 0, signed, SIGNATURE, text.length);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(signed);
    }

    /// @throws Refusal where it is not one of ours, or belongs to another list
    Token read(String text, String parent, String filter, SortOrder order) {
        var json = verified(text);
        if (!json.string("p").equals(parent)) {
            throw ArchiveRefusal.invalid("invalid page token: provided parent (" + parent
                    + ") differs from the parent used in the previous query (" + json.string("p") + ")");
        }
        if (!json.string("f").equals(filter)) {
            throw ArchiveRefusal.invalid(
                    "invalid page token: the provided filter differs from the filter used in the previous"
                            + " query\nexpected: " + json.string("f") + "\ngot: " + filter);
        }
        if (!json.string("o").equals(order.field()) || !json.string("d").equals(order.direction())) {
            throw ArchiveRefusal.invalid(
                    "invalid page token: the provided order by clause differs from the value passed in"
                            + " the previous query\nexpected: " + json.string("o") + " " + json.string("d") + "\ngot: "
                            + order.field() + " " + order.direction());
        }
        var value = json.has("v") ? Optional.of(json.integer("v")) : Optional.<Long>empty();
        return new Token(parent, filter, order.field(), order.direction(), json.string("u"), value);
    }

    private Json.Obj verified(String text) {
        var refusal = ArchiveRefusal.invalid("invalid page token: it was not given by this server");
        if (text.length() > MAX_LENGTH) {
            throw refusal;
        }
        try {
            var signed = Base64.getUrlDecoder().decode(text.getBytes(StandardCharsets.UTF_8));
            if (signed.length <= SIGNATURE) {
                throw refusal;
            }
            var content = Arrays.copyOfRange(signed, SIGNATURE, signed.length);
            if (!MessageDigest.isEqual(Arrays.copyOf(signed, SIGNATURE), signature(content))) {
                throw refusal;
            }
            return JsonText.parseObject(content);
        } catch (IllegalArgumentException e) {
            throw refusal;
        }
    }

    private byte[] signature(byte[] content) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(key);
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + MAC, e);
        }
    }
}
