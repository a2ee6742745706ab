/// What lets controllers work: the loops, who carries plans out, what is told about objects, and who of several may
/// act.
@NullMarked
package dev.towtank.cluster.loop;

import org.jspecify.annotations.NullMarked;
