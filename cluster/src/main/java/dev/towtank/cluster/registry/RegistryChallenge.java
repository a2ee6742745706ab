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
        return safe(host, realm + (realm.contains("?") ? "&" : "?") + query(repository));
    }

    /// Where a token of a person, which `docker login` keeps in place of a password, is given away for one of the
    /// registry.
    public URI exchangeAddress(RegistryHost host) throws IOException {
        return safe(host, words.getOrDefault("realm", ""));
    }

    /// The form that is sent there.
    public String exchange(String identityToken, String repository) {
        return "grant_type=refresh_token&client_id=towtank&" + query(repository) + "&refresh_token="
                + encoded(identityToken);
    }

    private String query(String repository) {
        return "service=" + encoded(words.getOrDefault("service", "")) + "&scope="
                + encoded(words.getOrDefault("scope", "repository:" + repository + ":pull"));
    }

    private static URI safe(RegistryHost host, String text) throws IOException {
        try {
            var address = URI.create(text);
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
