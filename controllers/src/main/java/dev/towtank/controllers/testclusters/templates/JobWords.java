package dev.towtank.controllers.testclusters.templates;

/// What the pods of a chart's own Jobs have said, such as of one that runs a program which makes the cluster.
///
/// @param isKnown whether all has been read that can be; until then the Jobs must stay
public record JobWords(boolean isKnown, String text) {

    static final JobWords NONE = new JobWords(true, "");

    /// There is something to be read, and nobody has asked for it.
    static final JobWords UNREAD = new JobWords(false, "");
}
