"""Assignments to local names, fields, elements, and tuples of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from scrimp.frontends.python.operations import Operations
from scrimp.frontends.python.storage import Spot, decoded, encoded
from scrimp.frontends.python.types import CONTAINERS, ArrayType, Held, MapType, SetType, TupleType
from scrimp.frontends.python.values import Mismatch, Value, present


class Assignments(Operations):
    """Statements that assign."""

    def assignment(self, node: ast.Assign, targets: Sequence[ast.expr], value: ast.expr) -> None:
        if len(targets) == 1 and isinstance(targets[0], ast.Name) and self._takes(value):
            taken, finish = self.take(value)
            self.store_to(targets[0], taken)
            finish()
            return
        result = self._set_for(targets[0], value)
        if len(targets) > 1 or any(map(self.expressions.is_impure, targets)):
            result = self.fixed(result)
        for target in targets:
            self.store_to(target, result)

    def _set_for(self, target: ast.expr, value: ast.expr) -> Value:
        """The value to assign; the domain of a set of numbers is that of its target."""
        if isinstance(value, ast.Set | ast.Call) and not isinstance(target, ast.Name):
            held = self._type_of(target)
            if isinstance(held, SetType) and held.item is not None:
                found = self.expressions.set_over(held.item, value)
                if found is not None:
                    return found
        return self.expressions.value(value)

    def _type_of(self, target: ast.expr) -> Held | None:
        """The type of a field or element; nothing is evaluated, as the value comes before the index."""
        match target:
            case ast.Attribute(owner, name) if self.expressions.is_self(owner) and name in self.program.fields:
                return self.program.fields[name].type
            case ast.Subscript(container):
                held = self._type_of(container)
                return held.item if isinstance(held, ArrayType | MapType) else None
            case _:
                return None

    def store_to(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a name, a field, an element, or a tuple of them."""
        match target:
            case ast.Name(name):
                if name in self.frame.names and name not in self.frame.locals:
                    raise self.error(target, f"{name} cannot be assigned here")
                self.assign((*self.frame.key, name), name, value)
            case ast.Tuple(targets) | ast.List(targets):
                value = present(value, "a tuple")
                if not isinstance(value.type, TupleType) or len(value.type.items) != len(targets):
                    raise self.error(target, f"found {value.type}, expected a tuple of {len(targets)}")
                if not value.is_constant:
                    value = self.spill(value)
                for each, item in zip(targets, value.items(), strict=True):
                    self.store_to(each, item)
            case ast.Starred():
                raise self.error(target, "found *: assign the items one by one")
            case _:
                self.store_spot(target, self.target(target), value)

    def target(self, node: ast.expr) -> Spot:
        """The field or element that an assignment changes."""
        spot = self.expressions.spot(node)
        if spot is None:
            match node:
                case ast.Attribute(owner, name) if self.expressions.is_self(owner):
                    if name in self.program.model_constants:
                        raise self.error(node, f"{name} is Final: it cannot be assigned")
                    self.expressions.value(node)
                case ast.Attribute():
                    raise self.error(node, "a record never changes; write replace(record, field=value)")
                case ast.Subscript():
                    raise self.error(node, "only the elements of an Array or a Map can be assigned")
            raise self.error(node, "cannot assign here")
        if isinstance(spot.type, CONTAINERS):
            raise self.error(node, f"{spot.name} is a {spot.type}, which cannot be assigned as a whole")
        return spot

    def store_spot(self, node: ast.expr, spot: Spot, value: Value) -> None:
        assert not isinstance(spot.type, CONTAINERS)
        try:
            self.store(spot.places, encoded(value, spot.type))
        except Mismatch as mismatch:
            raise self.error(node, f"{spot.name}: {mismatch}") from None

    def annotated(self, node: ast.AnnAssign, target: ast.expr, annotation: ast.expr, value: ast.expr | None) -> None:
        from scrimp.frontends.python.annotations import plain_type

        if not isinstance(target, ast.Name):
            raise self.error(node, "only local names are annotated here; fields are annotated in the class")
        type_ = plain_type(self.program, annotation)
        if value is None:
            return
        result = self.expressions.value(value)
        if isinstance(result.type, SetType) and result.type.item is None and isinstance(type_, SetType):
            result = Value(type_, result.parts)
        self.store_to(target, result)

    def augmented(self, node: ast.AugAssign) -> None:
        expressions = self.expressions
        if isinstance(node.target, ast.Name):
            load = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
            left = expressions.value(load)
            spot = None
        else:
            spot = self.target(node.target)
            impure = expressions.is_impure(node.target) or expressions.is_impure(node.value)
            spot = self.kept_spot(spot) if impure else spot
            assert not isinstance(spot.type, CONTAINERS)
            left = decoded(spot.type, spot.reads)
        if expressions.is_impure(node.value):
            left = self.kept(left)
        is_smaller = isinstance(node.op, ast.BitAnd | ast.Sub)
        right = expressions.with_domain(left, node.value, must_fit=not is_smaller)
        result = self.expressions.binary(node, node.op, left, right)
        if spot is None:
            self.store_to(node.target, result)
        else:
            self.store_spot(node.target, spot, result)
