/// The kernel's calls that the JDK has no words for: spawning with chosen descriptors, pid descriptors, epoll,
/// pipes, terminals. Nothing here knows of containers. Linux on x86-64 and AArch64, glibc 2.34 or newer.
@NullMarked
package dev.towtank.node.linux;

import org.jspecify.annotations.NullMarked;
