package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;

/// What led to a commit.
final class CommitHistory {

    private CommitHistory() {}

    static List<PushedCommit> since(Repository repository, ObjectId head, String before, int most) throws IOException {
        try (var walk = new RevWalk(repository)) {
            var last = walk.parseCommit(head);
            var found = new ArrayList<PushedCommit>();
            for (var commit = last; found.size() < most; commit = walk.parseCommit(commit.getParent(0))) {
                if (commit.name().equals(before)) {
                    return found.reversed();
                }
                found.add(PushedCommit.of(repository, commit));
                if (commit.getParentCount() == 0) {
                    break;
                }
            }
            return List.of(PushedCommit.of(repository, last));
        }
    }
}
