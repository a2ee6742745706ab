package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jgit.diff.DiffEntry;
import org.eclipse.jgit.diff.DiffFormatter;
import org.eclipse.jgit.diff.RawTextComparator;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.util.io.DisabledOutputStream;

/// A commit that came with a push, and the files that it changed.
public record PushedCommit(
        String id,
        String message,
        Instant time,
        String author,
        String email,
        List<String> added,
        List<String> removed,
        List<String> modified) {

    private static final int MOST_FILES = 3_000;
    private static final int LONGEST_MESSAGE = 10_000;

    public PushedCommit {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        modified = List.copyOf(modified);
    }

    static PushedCommit of(Repository repository, RevCommit commit) throws IOException {
        var added = new ArrayList<String>();
        var removed = new ArrayList<String>();
        var modified = new ArrayList<String>();
        try (var differences = new DiffFormatter(DisabledOutputStream.INSTANCE)) {
            differences.setRepository(repository);
            differences.setDiffComparator(RawTextComparator.DEFAULT);
            differences.setDetectRenames(false);
            var parent = commit.getParentCount() == 0 ? null : commit.getParent(0);
            for (DiffEntry entry : differences.scan(parent, commit)) {
                if (added.size() + removed.size() + modified.size() >= MOST_FILES) {
                    break;
                }
                switch (entry.getChangeType()) {
                    case ADD, COPY -> added.add(entry.getNewPath());
                    case DELETE -> removed.add(entry.getOldPath());
                    case MODIFY, RENAME -> modified.add(entry.getNewPath());
                }
            }
        }
        var who = commit.getAuthorIdent();
        var message = commit.getFullMessage();
        return new PushedCommit(
                commit.name(),
                message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message,
                Instant.ofEpochSecond(commit.getCommitTime()),
                who.getName(),
                who.getEmailAddress(),
                added,
                removed,
                modified);
    }
}
