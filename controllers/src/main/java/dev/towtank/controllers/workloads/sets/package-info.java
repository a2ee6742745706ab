/// StatefulSets, whose pods have names and storage of their own, and DaemonSets, with a pod on every node. Both keep
/// the templates they had as ControllerRevisions.
@NullMarked
package dev.towtank.controllers.workloads.sets;

import org.jspecify.annotations.NullMarked;
