package dev.towtank.model;

import java.util.regex.Pattern;

/// One of many Kubernetes-like worlds in one server; objects of one never see those of another.
public record LogicalCluster(String id) implements Comparable<LogicalCluster> {

    private static final Pattern ID = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /// The cluster that requests without `/clusters/<id>` speak to, and the only one a remote server has.
    public static final LogicalCluster DEFAULT = new LogicalCluster("default");

    /// Not a cluster but all of them at once; only callers inside the process can name it.
    public static final LogicalCluster ALL = new LogicalCluster("*");

    public LogicalCluster {
        if (!id.equals("*") && !isValid(id)) {
            throw new IllegalArgumentException(
                    "not a logical cluster id: \"" + id
                            + "\"; use at most 63 lower case letters, digits and '-', starting and ending with a letter or digit");
        }
    }

    public static boolean isValid(String id) {
        return ID.matcher(id).matches();
    }

    @Override
    public int compareTo(LogicalCluster other) {
        return id.compareTo(other.id);
    }

    @Override
    public String toString() {
        return id;
    }
}
