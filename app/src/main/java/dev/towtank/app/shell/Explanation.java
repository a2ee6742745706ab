package dev.towtank.app.shell;

import dev.towtank.apiserver.pki.Pki;
import dev.towtank.apiserver.store.DirectoryLock;
import dev.towtank.apiserver.store.Store;
import dev.towtank.app.client.ClientProblem;
import dev.towtank.app.client.GetView;
import dev.towtank.app.engine.Failure;
import dev.towtank.model.StatusError;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Says what made a command fail: what happened, why, and what to do next.
///
/// @param programName what the user types to start this program
/// @param debug whether somebody wants to know where in the code
public record Explanation(PrintStream err, String programName, boolean debug) {

    private static final Pattern NO_ROOM =
            Pattern.compile("(?:(/\\S+): )?(?:No space left on device|\\[SQLITE_FULL\\])");

    public void of(Throwable problem) {
        err.println("towtank: " + Surroundings.typeable(words(problem), programName));
        if (debug) {
            problem.printStackTrace(err);
        }
    }

    /// In the background, where no command is waiting for it.
    public void of(Thread thread, Throwable problem) {
        err.println("towtank: in the background (" + thread.getName() + "): "
                + Surroundings.typeable(words(problem), programName));
        if (debug) {
            problem.printStackTrace(err);
        }
    }

    private String words(Throwable problem) {
        return fullDisk(problem).orElseGet(() -> ownWords(problem));
    }

    /// Whoever meets a full disk first calls it something else.
    private static Optional<String> fullDisk(Throwable problem) {
        return Stream.iterate(problem, each -> each != null, Throwable::getCause)
                .limit(10)
                .map(each -> NO_ROOM.matcher(String.valueOf(each.getMessage())))
                .filter(Matcher::find)
                .findFirst()
                .map(found -> "The disk is full"
                        + (found.group(1) == null ? "" : ": " + found.group(1) + " cannot be written")
                        + ". Free some space, or choose a directory on another disk with --data DIR.");
    }

    private String ownWords(Throwable problem) {
        return switch (problem) {
            case StatusError refusal -> GetView.words(refusal);
            case Failure _,
                    ClientProblem _,
                    Pki.Unusable _,
                    Store.Damaged _,
                    Store.TooNew _,
                    Store.Unavailable _,
                    DirectoryLock.Taken _ -> String.valueOf(problem.getMessage());
            case UncheckedIOException wrapped ->
                words(Optional.<Throwable>ofNullable(wrapped.getCause()).orElse(wrapped));
            case NoSuchFileException missing -> missing.getFile() + " is gone, or was never there.";
            case AccessDeniedException denied ->
                "This user may not read or write " + denied.getFile()
                        + ". Change its permissions, or choose another place.";
            case FileSystemException failed ->
                "Cannot read or write " + failed.getFile() + ": "
                        + Optional.ofNullable(failed.getReason()).orElse("no reason was given") + ".";
            case IOException failed ->
                "Reading or writing failed: "
                        + Optional.ofNullable(failed.getMessage()).orElse(failed.toString()) + more();
            default ->
                "an error in Towtank itself: " + problem
                        + (debug ? "" : ". Please report it, with what the same command says with --debug.");
        };
    }

    private String more() {
        return debug ? "" : ". With --debug it says where.";
    }
}
