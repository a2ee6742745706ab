package dev.towtank.controllers.git.source;

import dev.towtank.model.BoundedMap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;

/// The files of repositories on this machine, within bounds. What a commit shares with the last one that was read is
/// not
/// read again, and is the same array.
final class LocalTrees {

    private static final int MOST_LINKS = 1_000;
    private static final int LONGEST_LINK = 4_096;

    private final int mostFiles;
    private final long largest;

    // Guarded by itself; by the address of the repository.
    private final Map<String, Map<ObjectId, byte[]>> contents;

    /// @param mostFiles of one commit
    /// @param largest how many bytes they may have together
    /// @param repositories of how many is remembered what was read
    LocalTrees(int mostFiles, long largest, int repositories) {
        this.mostFiles = mostFiles;
        this.largest = largest;
        this.contents = BoundedMap.byUse(repositories);
    }

    Map<String, byte[]> files(String url, Repository repository, ObjectId commit) throws IOException {
        Map<ObjectId, byte[]> last;
        synchronized (contents) {
            last = contents.getOrDefault(url, Map.of());
        }
        var now = new HashMap<ObjectId, byte[]>();
        var files = files(repository, commit, last, now);
        synchronized (contents) {
            contents.put(url, now);
        }
        return files;
    }

    private Map<String, byte[]> files(
            Repository repository, ObjectId commit, Map<ObjectId, byte[]> last, Map<ObjectId, byte[]> now)
            throws IOException {
        var files = new TreeMap<String, byte[]>();
        var links = new TreeMap<String, String>();
        long room = largest;
        try (var commits = new RevWalk(repository);
                var walk = new TreeWalk(repository)) {
            walk.addTree(commits.parseCommit(commit).getTree());
            walk.setRecursive(true);
            while (walk.next()) {
                if (FileMode.SYMLINK.equals(walk.getFileMode(0)) && links.size() < MOST_LINKS) {
                    var target = repository.open(walk.getObjectId(0)).getBytes(LONGEST_LINK);
                    links.put(walk.getPathString(), new String(target, StandardCharsets.UTF_8));
                }
                if (!FileMode.REGULAR_FILE.equals(walk.getFileMode(0))
                        && !FileMode.EXECUTABLE_FILE.equals(walk.getFileMode(0))) {
                    continue;
                }
                var id = walk.getObjectId(0);
                var known = last.get(id);
                var content = known == null ? read(repository, id, room) : known;
                room -= content.length;
                if (room < 0 || files.size() >= mostFiles) {
                    throw tooLarge();
                }
                now.put(id, content);
                files.put(walk.getPathString(), content);
            }
        }
        return TreeLinks.followed(files, links, mostFiles);
    }

    private byte[] read(Repository repository, ObjectId id, long room) throws IOException {
        var file = repository.open(id);
        if (file.getSize() > room) {
            throw tooLarge();
        }
        return file.getBytes();
    }

    private IOException tooLarge() {
        return new IOException("the repository has more than " + mostFiles + " files or " + largest + " bytes");
    }

    /// The paths of files that are other ones at another commit; empty where they are too many.
    Optional<NavigableSet<String>> changed(Repository repository, ObjectId before, ObjectId after) throws IOException {
        var paths = new TreeSet<String>();
        try (var commits = new RevWalk(repository);
                var walk = new TreeWalk(repository)) {
            walk.addTree(commits.parseCommit(before).getTree());
            walk.addTree(commits.parseCommit(after).getTree());
            walk.setRecursive(true);
            walk.setFilter(TreeFilter.ANY_DIFF);
            while (walk.next()) {
                paths.add(walk.getPathString());
                if (paths.size() > mostFiles) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(paths);
    }
}
