package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.transport.CredentialsProvider;
import org.eclipse.jgit.transport.RemoteSession;
import org.eclipse.jgit.transport.SshSessionFactory;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.util.FS;
import org.jspecify.annotations.Nullable;

/// The machine's own `ssh`, as git itself uses it: it knows keys, hosts and ciphers better than a library of ours
/// would, and
/// is kept up to date with the machine.
///
/// @param program its name or path
public record SshCommand(String program) {

    public static final SshCommand SYSTEM = new SshCommand("ssh");

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_\\[][A-Za-z0-9._:\\]-]*");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final int USUAL_PORT = 22;

    /// For one fetch.
    ///
    /// @param secret `ssh-privatekey` and perhaps `known_hosts`; empty where no key is given
    Session session(Map<String, String> secret) {
        return new Session(program, secret);
    }

    /// Keeps the key in a file that only this user can read, until it is closed.
    static final class Session extends SshSessionFactory implements AutoCloseable {

        private final String program;
        private final Map<String, String> secret;
        private @Nullable Path directory;

        private Session(String program, Map<String, String> secret) {
            this.program = program;
            this.secret = Map.copyOf(secret);
        }

        @Override
        public RemoteSession getSession(
                URIish uri, @Nullable CredentialsProvider credentials, @Nullable FS fs, int milliseconds)
                throws TransportException {
            try {
                return new Connection(options(uri));
            } catch (IOException e) {
                throw new TransportException("no room for the key: " + e.getMessage(), e);
            }
        }

        @Override
        public String getType() {
            return "external";
        }

        private synchronized List<String> options(URIish uri) throws IOException {
            var host = String.valueOf(uri.getHost());
            var user = uri.getUser() == null ? "git" : uri.getUser();
            // What begins with a dash would be an option.
            if (!HOST.matcher(host).matches() || !USER.matcher(user).matches()) {
                throw new TransportException("invalid git repository url: no such host or user can be");
            }
            // Whatever keys, agents and settings the user of this process has are not for those who ask.
            var line = new ArrayList<>(List.of(program, "-F", "none", "-o", "BatchMode=yes"));
            line.addAll(List.of("-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none"));
            var files = files();
            line.addAll(List.of("-o", "IdentityFile=" + (secret.isEmpty() ? "none" : files.resolve("key"))));
            line.addAll(List.of("-o", "UserKnownHostsFile=" + files.resolve("known_hosts")));
            var trust = secret.containsKey("known_hosts") ? "yes" : "accept-new";
            line.addAll(List.of("-o", "StrictHostKeyChecking=" + trust));
            int port = uri.getPort() > 0 ? uri.getPort() : USUAL_PORT;
            line.addAll(List.of("-p", String.valueOf(port), "-l", user, "--", host));
            return line;
        }

        private Path files() throws IOException {
            var place = directory;
            if (place == null) {
                place = Files.createTempDirectory(
                        "git-key", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
                directory = place;
                write(
                        place.resolve("key"),
                        secret.getOrDefault("ssh-privatekey", "").stripTrailing() + "\n");
                write(place.resolve("known_hosts"), secret.getOrDefault("known_hosts", ""));
            }
            return place;
        }

        private static void write(Path file, String text) throws IOException {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text, StandardCharsets.UTF_8);
        }

        @Override
        public synchronized void close() {
            if (directory != null) {
                FetchLimits.delete(directory);
            }
        }
    }

    private record Connection(List<String> line) implements RemoteSession {

        @Override
        public Process exec(String command, int seconds) throws IOException {
            var whole = new ArrayList<>(line);
            whole.add(command);
            try {
                return new ProcessBuilder(whole).start();
            } catch (IOException e) {
                throw new IOException("git over ssh needs the program ssh, which cannot be started", e);
            }
        }

        @Override
        public void disconnect() {}
    }
}
