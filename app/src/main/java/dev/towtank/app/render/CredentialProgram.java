package dev.towtank.app.render;

import dev.towtank.controllers.rendering.source.Login;
import dev.towtank.model.JsonText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A program that keeps logins for docker, as `credsStore` and `credHelpers` name one. It gets the name of a registry
/// and
/// tells a name and a secret, which goes no further than to that registry.
final class CredentialProgram {
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]+");
    private static final int LARGEST_ANSWER = 64 << 10;
    // Some ask a person to unlock a keyring.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final String name;
    private final Map<String, String> environment;
    private final Duration patience;

    /// @param name what stands behind `docker-credential-`
    /// @throws UncheckedIOException if it is none
    CredentialProgram(String name, Map<String, String> environment) {
        this(name, environment, PATIENCE);
    }

    CredentialProgram(String name, Map<String, String> environment, Duration patience) {
        if (!NAME.matcher(name).matches()) {
            throw new UncheckedIOException(new IOException(
                    "the logins of docker: credsStore and credHelpers are names of lower case letters, digits and -"));
        }
        this.name = "docker-credential-" + name;
        this.environment = environment;
        this.patience = patience;
    }

    /// Empty where it knows none; for people, without anything of the answer, where it fails.
    Optional<Login> ask(String registry) {
        try {
            var program = Stream.of(environment.getOrDefault("PATH", "").split(":", -1))
                    .map(Path::of)
                    .filter(Path::isAbsolute)
                    .map(folder -> folder.resolve(name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow(() -> new IOException(
                            name + ", which docker's config.json names, is not in the PATH: is it installed?"));
            return login(answer(program, registry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private byte[] answer(Path program, String registry) throws IOException {
        var builder = new ProcessBuilder(program.toString(), "get").redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        var process = builder.start();
        try (var in = process.getOutputStream()) {
            in.write((registry + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // It may answer without having read the question.
        }
        var reading = new FutureTask<>(() -> process.getInputStream().readNBytes(LARGEST_ANSWER + 1));
        Thread.ofVirtual().start(reading);
        try {
            var answer = reading.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.length > LARGEST_ANSWER) {
                throw new IOException(name + " answers with more than " + LARGEST_ANSWER + " bytes");
            }
            boolean isOver = process.waitFor(patience);
            return isOver && process.exitValue() == 0 ? answer : new byte[0];
        } catch (TimeoutException e) {
            throw new IOException(name + " did not answer within " + patience.toSeconds() + " seconds", e);
        } catch (ExecutionException e) {
            throw new IOException(name + " cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + name, e);
        } finally {
            process.destroyForcibly();
        }
    }

    /// A program that ends with an error knows nobody.
    private Optional<Login> login(byte[] answer) throws IOException {
        if (answer.length == 0) {
            return Optional.empty();
        }
        try {
            var fields = JsonText.parseObject(answer);
            return Optional.of(
                    fields.string("Username").equals("<token>")
                            ? new Login(Login.Kind.IDENTITY_TOKEN, "", fields.string("Secret"))
                            : new Login(fields.string("Username"), fields.string("Secret")));
        } catch (JsonText.Malformed _) {
            // Its text may hold the secret, and so might the words about what is wrong with it.
            throw new IOException(name + " answers with what is no JSON");
        }
    }
}
