"""Sets that can be named in place of a file: those that come with scikit-learn, by their names here."""

from __future__ import annotations

from typing import Any, ClassVar

from credibly._core.declared import Declarator, DeclaredFunction, Registry
from credibly.errors import DataError
from credibly.predictions.cost_matrix import CostMatrix


class Bundled(DeclaredFunction[[], Any]):
    """A set that can be named in place of a file, and what its target is called; calling it loads it.

    Where it is known what mistakes cost, ``costs`` holds that by actual and predicted class.
    """

    target: str
    positive: str = ""
    costs: tuple[tuple[float, ...], ...] = ()
    dashed: ClassVar = True

    def cost_matrix(self) -> CostMatrix:
        """Return what mistakes cost.

        >>> from credibly.io.datasets import datasets
        >>> datasets["loans"].cost_matrix()
        CostMatrix([[0.0, 600.0], [5000.0, 0.0]], classes=['paid', 'default'])
        """
        if not self.costs:
            raise DataError(f"There are no costs for mistakes about {self.name}.")
        return CostMatrix.of(self.costs, classes=list(self().target_names))

    def columns(self, n: int = 0) -> dict[str, Any]:  # noqa: ARG002
        """Return what a listing tells of it: its size, its target and the task."""
        found = self()
        rows, inputs = found.data.shape
        task = "classification" if "target_names" in found else "numeric"
        return {"rows": rows, "inputs": inputs, "target": self.target, "task": task}

    def facts(self) -> dict[str, Any]:
        """Return what people ask of it, by name."""
        if not self.costs:
            return self.columns()
        matrix = self.cost_matrix()
        cells = [
            f"{actual} called {label}: {matrix.cost(actual, label):g}"
            for actual in matrix.classes
            for label in matrix.classes
            if actual != label
        ]
        return self.columns() | {"costs": cells}


datasets: Registry[Bundled] = Registry("dataset", "credibly.io.datasets")
dataset = Declarator(Bundled, datasets)


@dataset(target="species")
def iris() -> Any:  # noqa: ANN401
    """Sepals and petals of three species of iris."""
    from sklearn.datasets import load_iris

    return load_iris()


@dataset(target="class")
def breast_cancer() -> Any:  # noqa: ANN401
    """Cell nuclei in images of breast tissue, malignant or benign."""
    from sklearn.datasets import load_breast_cancer

    return load_breast_cancer()


@dataset(target="class")
def wine() -> Any:  # noqa: ANN401
    """Chemical analyses of wines of three growers."""
    from sklearn.datasets import load_wine

    return load_wine()


@dataset(target="progression")
def diabetes() -> Any:  # noqa: ANN401
    """Progression of diabetes a year after baseline."""
    from sklearn.datasets import load_diabetes

    return load_diabetes()


@dataset(target="class")
def digits() -> Any:  # noqa: ANN401
    """Images of handwritten digits, 8 by 8 pixels."""
    from sklearn.datasets import load_digits

    return load_digits()
