package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.util.Optional;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.PathFilter;
import org.eclipse.jgit.treewalk.filter.TreeFilter;
import org.jspecify.annotations.Nullable;

/// The files of one commit, while its repository is there.
public final class GitTree {

    private final Repository repository;
    private final ObjectId commit;

    /// Takes files one by one.
    @FunctionalInterface
    public interface Visitor {
        void file(String path, byte[] content, boolean isExecutable) throws IOException;
    }

    GitTree(Repository repository, ObjectId commit) {
        this.repository = repository;
        this.commit = commit;
    }

    /// Its whole name.
    public String commit() {
        return commit.name();
    }

    /// Empty where there is no such file.
    ///
    /// @param largest in bytes
    public Optional<byte[]> file(String path, int largest) throws GitProblem, IOException {
        try (var walk = new RevWalk(repository)) {
            var tree = walk.parseCommit(commit).getTree();
            try (@Nullable TreeWalk found = TreeWalk.forPath(repository, path, tree)) {
                if (found == null) {
                    return Optional.empty();
                }
                var file = repository.open(found.getObjectId(0));
                if (file.getSize() > largest) {
                    throw new GitProblem("file \"%s\" is larger than %d bytes".formatted(path, largest));
                }
                return Optional.of(file.getBytes(largest));
            }
        }
    }

    /// All files. Links lead nowhere: a repository cannot show what is outside of it.
    ///
    /// @param most how many there may be
    /// @param largest how many bytes they may have together
    public void files(int most, long largest, Visitor visitor) throws GitProblem, IOException {
        files(TreeFilter.ALL, most, largest, visitor);
    }

    /// Those below a directory; nothing where there is none.
    public void filesBelow(String directory, int most, long largest, Visitor visitor) throws GitProblem, IOException {
        files(PathFilter.create(directory), most, largest, visitor);
    }

    private void files(TreeFilter filter, int most, long largest, Visitor visitor) throws GitProblem, IOException {
        int files = 0;
        long bytes = 0;
        try (var commits = new RevWalk(repository);
                var walk = new TreeWalk(repository)) {
            walk.addTree(commits.parseCommit(commit).getTree());
            walk.setRecursive(true);
            walk.setFilter(filter);
            while (walk.next()) {
                boolean isExecutable = FileMode.EXECUTABLE_FILE.equals(walk.getFileMode(0));
                if (!isExecutable && !FileMode.REGULAR_FILE.equals(walk.getFileMode(0))) {
                    continue;
                }
                var file = repository.open(walk.getObjectId(0));
                bytes += file.getSize();
                if (++files > most || bytes > largest) {
                    throw new GitProblem("the repository has more than %d files or %d bytes".formatted(most, largest));
                }
                visitor.file(walk.getPathString(), file.getBytes(), isExecutable);
            }
        }
    }
}
