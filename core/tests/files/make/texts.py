"""Creates the text files, byte-identical in every run. All people are invented.

Each file has one peculiarity; core/tests/verdicts.json records how it is read.
"""

import pathlib

HERE = pathlib.Path(__file__).parent.parent


def write(name, content):
    (HERE / f"csv-{name}.csv").write_bytes(content)


def lines(*rows, end="\n"):
    return "".join(row + end for row in rows)


PEOPLE = ("Name,Email,Town", "Ada Byron,ada@example.com,London", "Bo Ek,bo@example.com,Lund")


def write_quotes_and_line_ends():
    write("plain", lines(*PEOPLE).encode())
    write("no-last-line-end", lines(*PEOPLE).rstrip("\n").encode())
    write("crlf", lines(*PEOPLE, end="\r\n").encode())
    write("cr-only", lines(*PEOPLE, end="\r").encode())
    write("mixed-line-ends", b"Name,Town\r\nAda,London\nBo,Lund\rCy,Bath\r\n")
    write("quoted-commas", lines("Name,Town", '"Byron, Ada","London, UK"', '"Ek, Bo",Lund').encode())
    write("quoted-quotes", lines("Name,Note", '"Ada ""The Countess"" Byron","""quoted"""', 'Bo,""""').encode())
    write("quoted-line-ends", b'Name,Address\n"Ada","1 Row\nLondon"\n"Bo","2 Row\r\nLund"\n"Cy","3 Row\rBath"\n')
    write("quote-inside-plain-cell", lines("Name,Screen", 'Ada,27" wide', 'Bo,"24"" wide"').encode())
    write("text-after-quotes", lines("Name,Town", '"Ada" Byron,London', '"Bo"x,Lund').encode())
    write("backslash-escapes", lines("Name,Note", 'Ada,"a \\n b"', "Bo,C:\\new\\table").encode())
    write("single-quotes", lines("Name,Town", "'Ada, Byron',London", "Bo,Lund").encode())
    write("json-in-cells", lines("Name,Data", 'Ada,"{""type"": ""Point"", ""coordinates"": [102.0, 0.5]}"', "Bo,[]").encode())
    write("empties", lines("Name,Email,Town", "Ada,,", ",,Lund", 'Bo,"",Bath', '"","",""').encode())
    write("blank-lines-between", b"Name,Town\n\nAda,London\n\n  \nBo,Lund\n\n\n")
    write("only-quoted", lines('"Name","Town"', '"Ada","London"').encode())
    write("leading-blanks", lines("Name, Email , Town", "Ada , ada@example.com , London ", " Bo,bo@example.com, Lund").encode())
    write("cells-of-blanks", lines("Name,Town", "Ada,   ", "\t,Lund").encode())
    write("formulas", lines("Name,Phone,Note", "=1+1,+46 70 123 45 67,@SUM(A1)", "-Bo,00467012345,|cmd").encode())
    write("long-numbers", lines("Name,Phone,Account", "Ada,0701234567,00012345678901234567", "Bo,4.67012E+10,1e5").encode())
    write("unclosed-at-end", lines("Name,Town", "Ada,London", 'Bo,"Lund').encode())
    write("nul-characters", b"Name,Town\nAd\0a,London\nBo,\0\0\n" + lines(*["Cy,Bath"] * 40).encode())
    write("control-characters", b"Name,Town\nAda\x0b,Lon\x0cdon\nBo\x7f,Lund\n" + lines(*["Cy,Bath"] * 20).encode())


def write_layouts():
    write("semicolons", lines("Name;Amount;Town", "Ada;1,50;London", "Bo;2,75;Lund").encode())
    write("tabs", lines("Name\tAmount\tTown", "Ada\t1,50\tLondon", "Bo\t2;75\tLund").encode())
    write("pipes", lines("Name|Amount|Town", "Ada|1,50|London", "Bo|2;75|Lund").encode())
    write("sep-line", lines("sep=|", "Name|Town", "Ada|London, UK", "Bo|Lund, SE").encode())
    write("sep-line-quoted", lines('"sep=;"', "Name;Town", "Ada;London").encode())
    write("one-column", lines("Name", "Ada Byron", "Byron, Ada", "Ek; Bo").encode())
    write("one-column-of-addresses", lines("E-mail", "ada@example.com", "bo@example.com").encode())
    write("no-header", lines("Ada Byron,ada@example.com,+44 20 7946 0000", "Bo Ek,bo@example.com,+46 8 123 456").encode())
    write("no-header-only-names", lines("Ada Byron", "Bo Ek", "Cy Young").encode())
    write("title-above", lines("Customers 2024", "", *PEOPLE).encode())
    write("titles-above", lines("Customers 2024,,", "Printed on,2024-05-17,", ",,", *PEOPLE).encode())
    write("blank-rows-above", lines("", ",,", "", *PEOPLE).encode())
    write("trailing-delimiters", lines("Name,Email,", "Ada,ada@example.com,", "Bo,bo@example.com,").encode())
    write("empty-first-column", lines(",Name,Email", ",Ada,ada@example.com", ",Bo,bo@example.com").encode())
    write("short-and-long-rows", lines("Name,Email,Town", "Ada", "Bo,bo@example.com,Lund,extra", "Cy,cy@example.com").encode())
    write("headers-alike", lines("Name,name,NAME,Name ", "Ada,b,c,d").encode())
    write("headers-with-line-ends", b'"First\nname","E-mail\r\n(work)"\nAda,ada@example.com\n')
    write("headers-without-names", lines("Name,,Email,", "Ada,London,ada@example.com,UK").encode())
    write("header-of-numbers", lines("Name,2023,2024", "Ada,10,20", "Bo,30,40").encode())
    write("first-and-last-name", lines("First name,Last name,E-mail", "Ada,Byron,ada@example.com", "Bo,,bo@example.com").encode())
    write("repeated-contacts", lines("Name,Email", "Ada,ada@example.com", "Ada B,ADA@example.com", "Bo,", "Bo,").encode())
    write("wrong-values", lines(
        "Name,Email,Phone,Website", "Ada,ada(at)example.com,abc,not a page", ",x@,1,http://", f"{'B' * 300},bo@example.com,,",
    ).encode())
    write("512-columns", lines(",".join(["Name"] + [f"c{n}" for n in range(2, 513)]), "Ada" + ",x" * 511).encode())
    write("513-columns", lines(",".join(["Name"] + [f"c{n}" for n in range(2, 514)]), "Ada" + ",x" * 512).encode())
    write("only-delimiters", lines(",,,", ",,,").encode())
    write("one-line", b"Name,Email,Town\n")
    write("one-byte", b"a")


def write_encodings():
    german = lines("Name;Straße;Ort", "Jörg Weiß;Königsallee 7;Düsseldorf", "Änne Groß;Am Bächle 3;Zürich")
    write("utf-8", german.encode())
    write("utf-8-mark", german.encode("utf-8-sig"))
    write("utf-8-damaged", german.encode() + b"Ada \xff Byron;Row 1;Bath\n")
    write("utf-8-only-mark", b"\xef\xbb\xbf")
    for name, codec in [("utf-16-le", "utf-16-le"), ("utf-16-be", "utf-16-be")]:
        mark = "\ufeff".encode(codec)
        write(name, german.encode(codec))
        write(f"{name}-mark", mark + german.encode(codec))
    write("utf-16-odd-length", b"\xff\xfe" + german.encode("utf-16-le") + b"x")
    write("utf-16-lone-surrogate", b"\xff\xfe" + "Name;Ort\nA".encode("utf-16-le") + b"\x00\xd8" + "da;Bath\n".encode("utf-16-le"))
    write("windows-1252", lines("Namn;Adress", "Åsa Öberg;Storgatan 1", "Zoë “Zo” D’Arcy;Café – 5 €", "Björn Ek;Ängsvägen 5").encode("cp1252"))
    write("macintosh", lines("Namn;Adress", "Åsa Öberg;Ängsvägen 5", "Björn Sjögren;Hörngatan 8", "Märta Åkesson;Övre vägen 1", end="\r").encode("mac-roman"))
    write("windows-1250", lines("Jméno;Město", "Jiří Dvořák;Plzeň", "Božena Němcová;České Budějovice", "Łukasz Żółć;Gdańsk", "Zdeněk Šťastný;Příbram").encode("cp1250"))
    write("iso-8859-2", lines("Imię;Miasto", "Łukasz Wiśniewski;Gdańsk", "Święta Żółć;Łódź", "Małgorzata Śliwińska;Kraków").encode("iso8859-2"))
    write("windows-1251", lines("Имя;Город", "Анна Каренина;Москва", "Пётр Безухов;Санкт-Петербург", "Наташа Ростова;Отрадное").encode("cp1251"))
    write("koi8-r", lines("Имя;Город", "Анна Каренина;Москва", "Петр Безухов;Санкт-Петербург", "Наташа Ростова;Отрадное").encode("koi8-r"))
    write("windows-1253", lines("Όνομα;Πόλη", "Αλέξης Παππάς;Αθήνα", "Ελένη Γεωργίου;Θεσσαλονίκη", "Νίκος Καζαντζάκης;Ηράκλειο").encode("cp1253"))
    write("windows-1254", lines("Ad;Şehir", "Ayşe Yılmaz;İstanbul", "Çağrı Öztürk;Diyarbakır", "Gülşen Şahin;Eskişehir").encode("cp1254"))
    write("windows-1257", lines("Vardas;Miestas", "Jonas Kazlauskas;Šiauliai", "Rūta Žemaitė;Panevėžys", "Česlovas Ąžuolas;Klaipėda").encode("cp1257"))
    write("iso-8859-15", lines("Nom;Adresse", "Zoé Lefèvre;5 €", "Œdipe Cœur;Rue du Château", "François Noël;À côté").encode("iso8859-15"))
    write("shift-jis", lines("名前,住所", "山田太郎,東京都千代田区", "佐藤花子,大阪府大阪市", "鈴木一郎,北海道札幌市").encode("shift-jis"))
    write("gbk", lines("姓名,地址", "张伟,北京市朝阳区", "王芳,上海市浦东新区", "李娜,广州市天河区").encode("gbk"))


write_quotes_and_line_ends()
write_layouts()
write_encodings()
