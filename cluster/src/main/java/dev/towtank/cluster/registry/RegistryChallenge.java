package dev.towtank.cluster.registry;

import dev.towtank.model.JsonText;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// How a registry that answered 401 wants to be told who asks: with a name and password, or with a token that another
/// server gives for them.
///
/// @param words of the challenge, such as `realm` and `service`
public record RegistryChallenge(boolean wantsToken, Map<String, String> words) {

    private static final Pattern WORD = Pattern.compile("([a-z_]+)=\"([^\"]*)\"");

    public RegistryChallenge {
        words = Map.copyOf(words);
    }

    /// @param header the value of `WWW-Authenticate`, or nothing
    public static RegistryChallenge parse(String header) {
        var words = new HashMap<String, String>();
        WORD.matcher(header).results().forEach(word -> words.putIfAbsent(word.group(1), word.group(2)));
        return new RegistryChallenge(header.toLowerCase(Locale.ROOT).startsWith("bearer "), words);
    }

    /// Where the token is to be had. What is told there is a password: so the address must be encrypted, unless the
    /// registry is on this machine.
    public URI tokenAddress(RegistryHost host, String repository) throws IOException {
        var realm = words.getOrDefault("realm", "");
        var query = "service=" + encoded(words.getOrDefault("service", "")) + "&scope="
                + encoded(words.getOrDefault("scope", "repository:" + repository + ":pull"));
        try {
            var address = URI.create(realm + (realm.contains("?") ? "&" : "?") + query);
            boolean isSafe = "https".equals(address.getScheme())
                    || ("http".equals(address.getScheme())
                            && host.isLocal()
                            && new RegistryHost(String.valueOf(address.getAuthority())).isLocal());
            if (isSafe && address.getHost() != null) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            throw new IOException("the registry " + host.name() + " names no address for its tokens", e);
        }
        throw new IOException("the registry " + host.name() + " names no safe address for its tokens");
    }

    /// @param body what the server of tokens answered
    /// @return the value of `Authorization`
    public static String authorization(byte[] body) throws IOException {
        try {
            var answer = JsonText.parseObject(body);
            var token = answer.string("token").isEmpty() ? answer.string("access_token") : answer.string("token");
            if (!token.isEmpty() && token.chars().allMatch(each -> each > ' ' && each < 0x7f)) {
                return "Bearer " + token;
            }
        } catch (JsonText.Malformed e) {
            throw new IOException("the registry's token is not JSON"); // what it is must not be shown
        }
        throw new IOException("the registry gave no token");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
