package dev.towtank.app.engine;

import dev.towtank.model.Json;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A program that knows passwords for registries, as docker and its relatives call it.
///
/// @param program its name, to be found as the shell finds it
record PasswordProgram(String program) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final int LARGEST = 1 << 16;
    private static final int PATIENCE_SECONDS = 10;
    /// Beside which the secret is no password.
    private static final String TOKEN = "<token>";

    /// The one that a configuration names for this registry.
    static Optional<PasswordProgram> of(Json.Obj config, String registry) {
        var named = config.object("credHelpers").string(registry);
        return Optional.of(named.isEmpty() ? config.string("credsStore") : named)
                .filter(name -> NAME.matcher(name).matches())
                .map(name -> new PasswordProgram("docker-credential-" + name));
    }

    /// Empty when it knows none, is not there or takes too long. What it says is in no message.
    Optional<Json.Obj> ask(String registry) {
        try {
            var process = new ProcessBuilder(program, "get")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var watchdog = Thread.startVirtualThread(() -> endInTime(process));
            try (var question = process.getOutputStream()) {
                question.write(address(registry).getBytes(StandardCharsets.UTF_8));
            }
            var said = process.getInputStream().readNBytes(LARGEST);
            process.getInputStream().close();
            watchdog.join();
            return process.exitValue() == 0 ? login(JsonText.parseObject(said), registry) : Optional.empty();
        } catch (IOException | JsonText.Malformed e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// Docker Hub is known by its oldest address.
    private static String address(String registry) {
        return registry.equals("docker.io") ? "https://index.docker.io/v1/" : registry;
    }

    private static Optional<Json.Obj> login(Json.Obj said, String registry) {
        var user = said.string("Username");
        var secret = said.string("Secret");
        return user.isEmpty() || secret.isEmpty() || user.equals(TOKEN)
                ? Optional.empty()
                : Optional.of(
                        Json.Obj.of(registry, Json.Obj.of("username", Json.of(user), "password", Json.of(secret))));
    }

    private static void endInTime(Process process) {
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
