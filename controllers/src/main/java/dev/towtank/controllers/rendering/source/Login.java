package dev.towtank.controllers.rendering.source;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// By which name and password, or by which token, a server lets us in. It never shows.
///
/// @param username empty for tokens
/// @param secret the password or the token
public record Login(Kind kind, String username, String secret) {

    public enum Kind {
        PASSWORD,
        /// A token that a registry gives a token of its own for, as `docker login` keeps it.
        IDENTITY_TOKEN,
        /// A token that the registry itself takes.
        REGISTRY_TOKEN
    }

    public Login(String username, String password) {
        this(Kind.PASSWORD, username, password);
    }

    /// The value of `Authorization`.
    String header() {
        return kind == Kind.PASSWORD
                ? "Basic "
                        + Base64.getEncoder().encodeToString((username + ":" + secret).getBytes(StandardCharsets.UTF_8))
                : "Bearer " + secret;
    }

    @Override
    public String toString() {
        return "Login[…]";
    }
}
