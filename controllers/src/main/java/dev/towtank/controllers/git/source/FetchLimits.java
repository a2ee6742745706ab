package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.jspecify.annotations.Nullable;

/// Ends a fetch that takes too long, or too much room: git asks it at every object whether to go on.
final class FetchLimits implements ProgressMonitor {

    private static final long LARGEST_CLONE = 256L * 1024 * 1024;
    private static final int OBJECTS_BETWEEN_LOOKS = 256;

    private final Path directory;
    private final InstantSource clock;
    private final Instant end;
    private final long largest;
    private int objects;
    private @Nullable String problem;

    FetchLimits(Path directory, InstantSource clock, Instant end) {
        this(directory, clock, end, LARGEST_CLONE);
    }

    FetchLimits(Path directory, InstantSource clock, Instant end, long largest) {
        this.directory = directory;
        this.clock = clock;
        this.end = end;
        this.largest = largest;
    }

    /// @throws GitProblem when this is why the fetch ended
    void check() throws GitProblem {
        if (problem != null) {
            throw problem.isEmpty()
                    ? new GitProblem(GitProblem.Kind.TIMED_OUT, "context deadline exceeded")
                    : new GitProblem(problem);
        }
    }

    @Override
    public void start(int totalTasks) {}

    @Override
    public void beginTask(String title, int totalWork) {
        look();
    }

    @Override
    public void update(int completed) {
        objects += completed;
        if (objects >= OBJECTS_BETWEEN_LOOKS) {
            objects = 0;
            look();
        }
    }

    @Override
    public void endTask() {
        look();
    }

    @Override
    public boolean isCancelled() {
        return problem != null;
    }

    @Override
    public void showDuration(boolean enabled) {}

    private void look() {
        if (clock.instant().isAfter(end)) {
            problem = "";
        } else if (size() > largest) {
            problem = "the repository is larger than " + largest + " bytes";
        }
    }

    private long size() {
        var sum = new AtomicLong();
        walk(directory, (_, attributes) -> sum.addAndGet(attributes.size()));
        return sum.get();
    }

    static void delete(Path directory) {
        walk(directory, (file, _) -> Files.deleteIfExists(file));
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException fault) throws IOException {
                    Files.deleteIfExists(dir);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            System.getLogger(FetchLimits.class.getName())
                    .log(System.Logger.Level.WARNING, "a clone stays behind: " + e.getMessage());
        }
    }

    private interface Visit {
        void visit(Path file, BasicFileAttributes attributes) throws IOException;
    }

    private static void walk(Path directory, Visit visit) {
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    visit.visit(file, attributes);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException fault) {
                    return FileVisitResult.CONTINUE; // git itself removes files while it works
                }
            });
        } catch (IOException e) {
            System.getLogger(FetchLimits.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot look at a clone: " + e.getMessage());
        }
    }
}
