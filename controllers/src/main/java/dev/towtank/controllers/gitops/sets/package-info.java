/// Makes Applications of ApplicationSets: generators give parameters, and a template makes an Application of each.
@NullMarked
package dev.towtank.controllers.gitops.sets;

import org.jspecify.annotations.NullMarked;
