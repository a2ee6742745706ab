/// What this machine has that containers are made of: programs, shells and settings.
@NullMarked
package dev.towtank.node.sandbox.machine;

import org.jspecify.annotations.NullMarked;
