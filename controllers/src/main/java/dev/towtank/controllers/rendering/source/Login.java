package dev.towtank.controllers.rendering.source;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/// By which name and password a server lets us in. It never shows.
public record Login(String username, String password) {

    String basic() {
        return "Basic "
                + Base64.getEncoder().encodeToString((username + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "Login[…]";
    }
}
