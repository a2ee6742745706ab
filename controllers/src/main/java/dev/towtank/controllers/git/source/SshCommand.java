package dev.towtank.controllers.git.source;

import dev.towtank.cluster.Ground;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
/// @param remembered the file where hosts are remembered that no Secret knows: what was accepted once must be the same
///     from then on. Without it, each fetch meets such a host for the first time
public record SshCommand(String program, Optional<Path> remembered) {

    public static final SshCommand SYSTEM = new SshCommand("ssh");

    /// Then no more hosts are taken on trust: their names are what users say.
    private static final long MOST_REMEMBERED = 1 << 20;

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_\\[][A-Za-z0-9._:\\]-]*");
    private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final int USUAL_PORT = 22;
    private static final FileAttribute<Set<PosixFilePermission>> MINE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    public SshCommand(String program) {
        this(program, Optional.empty());
    }

    public SshCommand remembering(Path file) {
        return new SshCommand(program, Optional.of(file));
    }

    /// The machine's own, with one memory for all features of a process: who was met by one of them is known to all.
    public static SshCommand of(Ground ground) {
        return new SshCommand(
                SYSTEM.program, ground.directory().map(directory -> directory.resolve("git/known_hosts")));
    }

    /// For one fetch.
    ///
    /// @param secret `ssh-privatekey` and perhaps `known_hosts`; empty where no key is given
    Session session(Map<String, String> secret) {
        return new Session(this, secret);
    }

    /// Keeps the key in a file that only this user can read, until it is closed.
    static final class Session extends SshSessionFactory implements AutoCloseable {

        private final SshCommand command;
        private final Map<String, String> secret;
        private @Nullable Path directory;

        private Session(SshCommand command, Map<String, String> secret) {
            this.command = command;
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
            var line = new ArrayList<>(List.of(command.program, "-F", "none", "-o", "BatchMode=yes"));
            line.addAll(List.of("-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none"));
            var files = files();
            line.addAll(List.of("-o", "IdentityFile=" + (secret.isEmpty() ? "none" : files.resolve("key"))));
            boolean isTold = secret.containsKey("known_hosts");
            var known = isTold ? files.resolve("known_hosts") : remembered(files);
            // Quoted, for there may be spaces in it.
            line.addAll(List.of("-o", "UserKnownHostsFile=\"" + known + "\""));
            boolean isFull = Files.exists(known) && Files.size(known) > MOST_REMEMBERED;
            line.addAll(List.of("-o", "StrictHostKeyChecking=" + (isTold || isFull ? "yes" : "accept-new")));
            int port = uri.getPort() > 0 ? uri.getPort() : USUAL_PORT;
            line.addAll(List.of("-p", String.valueOf(port), "-l", user, "--", host));
            return line;
        }

        private Path remembered(Path files) throws IOException {
            var known = command.remembered.orElse(files.resolve("known_hosts"));
            // ssh makes the file itself, but not its directory.
            Files.createDirectories(Optional.ofNullable(known.getParent()).orElse(files), MINE);
            return known;
        }

        private Path files() throws IOException {
            var place = directory;
            if (place == null) {
                place = Files.createTempDirectory("git-key", MINE);
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
                return new SshProcess(new ProcessBuilder(whole).start());
            } catch (IOException e) {
                throw new IOException("git over ssh needs the program ssh, which cannot be started", e);
            }
        }

        @Override
        public void disconnect() {}
    }
}
